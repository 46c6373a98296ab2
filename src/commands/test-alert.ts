import { randomBytes } from 'node:crypto'
import { type SendResult, sendWhole } from '../channels/channel.ts'
import { type OpenChannels, openChannels } from '../channels/registry.ts'
import type { Config } from '../config/schema.ts'
import { renderTest } from '../message/render/test-message.ts'
import { minuteMs } from '../platform/durations.ts'
import { configOf } from './configuration.ts'
import { CommandFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'
import { mailForTest } from './test-readers.ts'
import { whoever } from './whoever.ts'

const timeLimitMs = minuteMs

/** Sends one message, marked as a test, past the store and the filters. */
export async function testAlert(
  name: string,
  options: { config?: string; json?: boolean },
  terminal: Terminal,
): Promise<0 | 1> {
  const config = configOf(options)
  const settings = config.channels.find((channel) => channel.name === name)
  if (settings === undefined) {
    throw new CommandFailure(
      `there is no channel called ${name}; there are ${config.channels.map((one) => one.name).join(', ')}`,
      2,
    )
  }
  const mail = settings.type === 'email' ? await mailForTest(config, settings, terminal) : undefined
  // For machines, standard output is one document.
  const write = options.json ? terminal.note : terminal.out
  const { width, colour } = terminal
  const answer = await sendTest(config, settings, { out: { write, width, colour }, mail })
  if (options.json) {
    terminal.out(`${JSON.stringify({ channel: name, ...answer })}\n`)
    return answer.result === 'sent' ? 0 : 1
  }
  if (answer.result !== 'sent') throw new CommandFailure(`${name} did not accept the test: ${answer.why}`)
  terminal.out(
    `${name} accepted the test: ${answer.receipt.text}${answer.remark === undefined ? '' : `; ${answer.remark}`}\n`,
  )
  return 0
}

/** Tries once. */
export async function sendTest(
  config: Config,
  settings: Config['channels'][number],
  parts: Pick<OpenChannels, 'out' | 'mail'>,
): Promise<SendResult> {
  const [channel] = await openChannels({ ...parts, config: { ...config, channels: [settings] } })
  if (channel === undefined) throw new Error(`the channel ${settings.name} did not open`)
  try {
    // An id of its own each time, or a provider would drop the second test as a repeat.
    const id = `test_${randomBytes(6).toString('hex')}`
    const message = renderTest({ id, by: whoever(), at: new Date().toISOString() }, settings)
    const attempt = { uncertain: false, progress: [], signal: AbortSignal.timeout(timeLimitMs) }
    return await sendWhole(channel, message, attempt)
  } finally {
    await channel.close()
  }
}
