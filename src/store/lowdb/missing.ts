import { counted } from '../../text/counted.ts'
import type { SegmentFiles } from './files.ts'
import type { History } from './history.ts'
import { holes, joined, type Range } from './ranges.ts'
import type { Recovered } from './recover.ts'
import { lossOf } from './sealed.ts'

/**
 * Events are numbered without a gap, so what is neither there nor past retention is lost: a file was deleted, or cut off.
 * Answers the sentences for people, and what is lost, which is reported once.
 */
export function findMissing(
  found: readonly Recovered[],
  { data, isKnown }: Pick<History, 'data' | 'isKnown'>,
  files: Pick<SegmentFiles, 'name'>,
): { sentences: string[]; lost: Range[]; gone: Range[] } {
  const sentences: string[] = []
  const newlyLost: Range[] = []
  const isReported = ([first, last]: Range) =>
    joined(data.lost).some(([from, to]) => from <= first && last <= to)
  const extents = found.flatMap((one) => {
    const range = extentOf(one)
    return range === undefined ? [] : [{ one, range }]
  })
  for (const { one, range } of extents) {
    if (!one.isLost || isReported(range)) continue
    newlyLost.push(range)
    if (!one.isHurt)
      sentences.push(`${files.name(one.number, 'json')} is missing; ${lossOf(one.ids?.held.length ?? 0)}`)
  }
  const there = [...found.flatMap(present), ...newlyLost, ...data.lost]
  const last = Math.max(data.last, ...extents.map(({ range }) => range[1]))
  const missing = holes([...there, ...data.gone], last)
  // A store that is older than its history may have dropped them.
  if (!isKnown) return { sentences, lost: newlyLost, gone: missing }
  for (const hole of missing) {
    const before = extents.findLast(({ range }) => range[1] < hole[0])?.one
    const after = extents.find(({ range }) => range[0] > hole[1])?.one
    const within = extents.filter(({ range }) => range[0] < hole[0] && hole[1] < range[1])
    const near = [before, after, ...within.map(({ one }) => one)]
    const withoutEvents = found.filter((one) => extentOf(one) === undefined)
    newlyLost.push(hole)
    if ([...near, ...withoutEvents].some((one) => one?.isHurt)) continue
    sentences.push(sentenceOf(hole, numbersBetween(before, after, data.segment), files))
  }
  return { sentences, lost: newlyLost, gone: [] }
}

function extentOf({ ids, live }: Recovered): Range | undefined {
  if (live === undefined) return ids === undefined ? undefined : [ids.first, ids.last]
  const seqs = [...live.events.values()].map(({ seq }) => seq)
  return seqs.length === 0 ? undefined : [Math.min(...seqs), Math.max(...seqs)]
}

function present({ ids, live, isLost }: Recovered): Range[] {
  if (isLost) return []
  if (live !== undefined) return [...live.events.values()].map(({ seq }): Range => [seq, seq])
  return ids === undefined ? [] : [[ids.first, ids.last]]
}

function numbersBetween(before: Recovered | undefined, after: Recovered | undefined, last: number): number[] {
  const first = (before?.number ?? 0) + 1
  const end = after === undefined ? last : after.number - 1
  return Array.from({ length: Math.max(0, end - first + 1) }, (_, index) => first + index)
}

function sentenceOf([first, last]: Range, numbers: number[], files: Pick<SegmentFiles, 'name'>): string {
  const which = first === last ? `event ${first}` : `events ${first} to ${last}`
  const [from, ...others] = numbers.map((number) => files.name(number, 'json').replace('.json', ''))
  const to = others.at(-1)
  const where =
    from === undefined
      ? 'the end of a journal was cut off'
      : to === undefined
        ? `the files of ${from} are gone`
        : `files of ${from} to ${to} are gone`
  return `${counted(last - first + 1, 'event')} (${which}) ${first === last ? 'is' : 'are'} missing: ${where}; what was accepted there is not shown, what was pending there is not sent, and a repeat of it is sent as new; everything else is served`
}
