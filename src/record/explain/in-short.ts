import { counted, plain } from '../../platform/text.ts'
import type { Explained } from './explained.ts'

/** A chat has room for so many lines below the title. */
const most = 4

/** The same in a few lines: how it came, and what became of it on each channel; those that have not sent it come first. */
export function inShort(id: string, { came, outcomes }: Explained): string[] {
  const lines = outcomes
    .toSorted((one, other) => Number(one.state === 'sent') - Number(other.state === 'sent'))
    .map(({ channel, state, reason }) => `${channel}: ${state.replace('_', ' ')}, ${reason}`)
  const all = [`${plain(id)}: ${came}`, ...lines]
  if (all.length <= most) return all
  const rest = counted(all.length - most + 1, 'more channel')
  return [...all.slice(0, most - 1), `and ${rest}: bluepencil explain ${plain(id)}`]
}
