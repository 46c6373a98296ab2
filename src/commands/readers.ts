import type { Config } from '../config/schema.ts'
import { isSame, unsubscribedFrom } from '../people/readers/suppressions.ts'
import { plain } from '../platform/text.ts'
import type { ActOptions } from './acts.ts'
import { type CommandOptions, configOf, withControl } from './configuration.ts'
import { doer } from './current-user.ts'
import { CommandFailure } from './failure.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'

/** One reader of one channel. Times are ISO 8601, UTC. */
interface ReaderRow {
  channel: string
  address: string
  state: 'gets mail' | 'unsubscribed' | 'refused'
  since?: string
  /** Not tried before. */
  until?: string
  /** What the server says of the address. */
  said?: string
}

export async function list(options: CommandOptions, terminal: Terminal): Promise<void> {
  const config = await configOf(options)
  const book = await withControl(config, terminal, (control) => control.readers())
  const rows = mailOf(config).flatMap(({ name: channel, to }) =>
    to.map((address): ReaderRow => {
      const left = unsubscribedFrom(book, channel, address)
      if (left !== undefined) return { channel, address, state: 'unsubscribed', since: left.at }
      const refusal = book.refused.find((one) => isSame(one.address, address))
      if (refusal === undefined) return { channel, address, state: 'gets mail' }
      const { since, until, said } = refusal
      return { channel, address, state: 'refused', since, until, said }
    }),
  )
  if (options.json) return terminal.out(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  if (rows.length === 0) return terminal.note('There is no channel of type email.\n')
  terminal.out(table(rows.map((row) => [row.channel, row.address, inWords(row)])))
}

/** Takes back what stands against an address: that it left a channel, and that a server refused it. */
export async function restore(
  address: string,
  channel: string | undefined,
  options: ActOptions,
  terminal: Terminal,
): Promise<void> {
  const config = await configOf(options)
  const channels = mailOf(config).filter(({ to }) => to.some((one) => isSame(one, address)))
  const names = channels.map(({ name }) => name)
  if (names.length === 0) {
    throw new CommandFailure(
      `${plain(address)} is not a reader of any channel; add it to the list to: of an e-mail channel`,
      2,
    )
  }
  if (channel !== undefined && !names.includes(channel)) {
    throw new CommandFailure(
      `${plain(address)} is not on the list of ${channel}; it is on that of ${names.join(', ')}`,
      2,
    )
  }
  const lifted = await withControl(config, terminal, async (control) => {
    const restored: ReaderRow[] = []
    const there = await control.readers()
    // Somebody who left one channel is not to come back to it because another was meant.
    const left = names.filter((name) => unsubscribedFrom(there, name, address) !== undefined)
    if (channel === undefined && left.length > 0) {
      throw new CommandFailure(
        `${plain(address)} has unsubscribed from ${left.join(', ')}; name the channel too`,
        2,
      )
    }
    const subscription = { channel: channel ?? names[0] ?? '', address }
    const { unsubscribed, refused } = await control.restore(doer(options), subscription)
    for (const reader of unsubscribed) restored.push({ ...reader, state: 'unsubscribed', since: reader.at })
    for (const reader of refused) restored.push({ channel: names.join(', '), ...reader, state: 'refused' })
    return restored
  })
  if (options.json) return terminal.out(`${JSON.stringify({ address, restored: lifted })}\n`)
  if (lifted.length === 0) return terminal.out(`${plain(address)} already gets mail.\n`)
  terminal.out(lifted.map((row) => `${plain(address)} gets mail again; it was ${inWords(row)}.\n`).join(''))
}

function mailOf(config: Config) {
  return config.channels.filter((channel) => channel.type === 'email')
}

function inWords({ state, since, until, said = '' }: ReaderRow): string {
  switch (state) {
    case 'gets mail':
      return state
    case 'unsubscribed':
      return `unsubscribed, since ${since}`
    case 'refused':
      return `rejected by the server since ${since}; next attempt after ${until}: ${plain(said, 300)}`
  }
}
