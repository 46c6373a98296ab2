import type { ChannelAccount, TrialCase } from './account.ts'

/** Alerts that became the same on a channel: sent, or not sent by one rule. */
export interface CaseGroup extends Pick<TrialCase, 'became' | 'rule'> {
  count: number
  /** How many of them were held first. */
  held: number
  /** The newest few. */
  examples: TrialCase[]
}

export interface TrialSummary {
  messages: number
  edits: number
  /** What was shown first, then by how many. */
  groups: CaseGroup[]
}

const examples = 3
const order: TrialCase['became'][] = ['sent', 'digest', 'merged', 'held', 'waiting', 'failed', 'not_sent']

/** An account in numbers, with examples. Pure. */
export function summaryOf({ messages, edits, cases }: ChannelAccount): TrialSummary {
  const byEnd = Map.groupBy(cases, ({ became, rule = '' }) => `${became} ${rule}`)
  const groups = [...byEnd.values()].flatMap((all): CaseGroup[] => {
    const [first] = all
    if (first === undefined) return []
    const { became, rule } = first
    return [
      {
        became,
        ...(rule !== undefined && { rule }),
        count: all.length,
        held: all.filter(({ heldUntil }) => heldUntil !== undefined).length,
        examples: all.slice(0, examples),
      },
    ]
  })
  return { messages, edits, groups: groups.toSorted(inOrder) }
}

function inOrder(one: CaseGroup, other: CaseGroup): number {
  const places = order.indexOf(one.became) - order.indexOf(other.became)
  return places || other.count - one.count || (one.rule ?? '').localeCompare(other.rule ?? '')
}
