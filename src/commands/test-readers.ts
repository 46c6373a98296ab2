import { type MailReaders, unknownReaders } from '../channels/email/config.ts'
import type { OpenChannels } from '../channels/registry.ts'
import { unsubscribeAddress } from '../config/public-address.ts'
import type { Config } from '../config/schema.ts'
import { unsubscribedFrom } from '../people/readers/suppressions.ts'
import type { EmailChannelConfig } from './check/readers.ts'
import { withControl } from './configuration.ts'
import type { Terminal } from './terminal.ts'

/**
 * For a test: who has unsubscribed gets none, who was refused is tried, and the links are true ones. Where there is no
 * store yet, nobody can have unsubscribed.
 */
export async function mailForTest(
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
