import type { Notice } from '../../event/event.ts'

/** The channels that there are, by name, as one configuration has them. */
export interface RecipientChannels {
  /** All of them. */
  channels: readonly string[]
  /** Those under `operators`. */
  operators: readonly string[]
  /** Those with an open incident of their own: they cannot be reached, or accept nothing. */
  unreachable: readonly string[]
}

/** The operators' channels for a notice. A notice about a channel goes to the others; if there is no other, to itself. */
export function toldOf(
  { channel }: Pick<Notice, 'channel'>,
  operators: readonly string[],
): readonly string[] {
  const others = operators.filter((name) => name !== channel)
  return others.length > 0 ? others : operators
}

/**
 * The channels that a notice goes to. If no operators' channel can be reached, an incident also goes to every other channel
 * that can. It stays pending on the operators' channels, since they may be back first. The end of an incident goes to the
 * channels that got its beginning (`hadBeginning`), even if they cannot be reached now. Pure.
 */
export function recipientsOf(
  notice: Pick<Notice, 'channel' | 'phase'>,
  { channels, operators, unreachable }: RecipientChannels,
  hadBeginning: readonly string[] = [],
): readonly string[] {
  const told = toldOf(notice, operators)
  if (notice.phase === 'over') return [...new Set([...told, ...hadBeginning])]
  // Who names no channel for trouble wants it in the log alone.
  if (operators.length === 0 || operators.some((name) => !unreachable.includes(name))) return told
  const reachable = channels.filter((name) => !unreachable.includes(name))
  return [...told, ...toldOf(notice, reachable)]
}

/** Whether a channel gets a notice only because no channel under `operators` could be reached. */
export function isStandIn(
  { to = [], status }: Notice,
  channel: string,
  operators: readonly string[],
): boolean {
  return status !== true && to.includes(channel) && !operators.includes(channel)
}
