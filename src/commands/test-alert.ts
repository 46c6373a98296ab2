import { randomBytes } from 'node:crypto'
import { type SendResult, sendWhole } from '../channels/channel.ts'
import { type MailReaders, unknownReaders } from '../channels/email/config.ts'
import { type OpenChannels, openChannels } from '../channels/registry.ts'
import { unsubscribeAddress } from '../config/derived.ts'
import type { Config } from '../config/schema.ts'
import { renderTest } from '../message/render/test-message.ts'
import { unsubscribedFrom } from '../people/readers/suppressions.ts'
import { minuteMs } from '../platform/durations.ts'
import type { EmailChannelConfig } from './check/readers.ts'
import { channelNamed, configOf, withControl } from './configuration.ts'
import { currentUser } from './current-user.ts'
import { CommandFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'

const timeLimitMs = minuteMs

/** Sends one message, marked as a test, past the store and the filters. */
export async function testAlert(
  name: string,
  options: { config?: string; json?: boolean },
  terminal: Terminal,
): Promise<0 | 1> {
  const config = await configOf(options)
  const settings = channelNamed(name, config)
  const mail = settings.type === 'email' ? await mailForTest(config, settings, terminal) : undefined
  // For machines, standard output is one document.
  const write = options.json ? terminal.note : terminal.out
  const { width, colour } = terminal
  const answer = await sendTest(config, settings, { out: { write, width, colour }, mail })
  if (options.json) {
    terminal.out(`${JSON.stringify({ channel: name, ...answer })}\n`)
    return answer.result === 'sent' ? 0 : 1
  }
  if (answer.result !== 'sent') throw new CommandFailure(`${name} rejected the test: ${answer.why}`)
  terminal.out(
    `${name} accepted the test: ${answer.receipt.text}${answer.remark === undefined ? '' : `; ${answer.remark}`}\n`,
  )
  return 0
}

/** Tries once. */
export async function sendTest(
  config: Config,
  settings: Config['channels'][number],
  { by = currentUser(), ...parts }: Pick<OpenChannels, 'out' | 'mail'> & { by?: string | undefined },
): Promise<SendResult> {
  const [channel] = await openChannels({ ...parts, config: { ...config, channels: [settings] } })
  if (channel === undefined) throw new Error(`the channel ${settings.name} did not open`)
  try {
    // An id of its own each time, or a provider would drop the second test as a repeat.
    const id = `test_${randomBytes(6).toString('hex')}`
    const message = renderTest({ id, by, at: new Date().toISOString() }, settings)
    const attempt = { uncertain: false, progress: [], signal: AbortSignal.timeout(timeLimitMs) }
    return await sendWhole(channel, message, attempt)
  } finally {
    await channel.close()
  }
}

/**
 * For a test: readers who unsubscribed get no mail, refused addresses are tried again, and the links work. Without a store,
 * nobody has unsubscribed.
 */
async function mailForTest(
  config: Config,
  { name: channel, to }: EmailChannelConfig,
  terminal: Terminal,
): Promise<OpenChannels['mail']> {
  try {
    return await withControl(config, terminal, async (control) => {
      const book = await control.readers()
      const tokens = new Map<string, string>()
      for (const address of to) tokens.set(address, await control.token({ channel, address }))
      const readers: MailReaders = {
        ...unknownReaders,
        resting: async () =>
          new Map(
            to.flatMap((address) => {
              const left = unsubscribedFrom(book, channel, address)
              return left === undefined ? [] : [[address, { why: 'unsubscribed', since: left.at }] as const]
            }),
          ),
        token: async (_channel, address) => tokens.get(address),
      }
      return { readers, unsubscribeAt: unsubscribeAddress(config).url }
    })
  } catch {
    return undefined
  }
}
