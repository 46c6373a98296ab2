import type { Random } from '../../../src/service/sandbox/random.ts'

/** A question, and the ways to answer it. */
export interface Dimension {
  key: string
  values: readonly string[]
}

/** One answer to each question. */
export type Case = Readonly<Record<string, string>>

/** An answer, by its place among all answers to all questions. */
interface Answer {
  place: number
  question: number
  value: string
}

/** Rows that are drawn for each one that is taken: more of them save a case or two, and take far longer. */
const candidates = 20

/** How many pairs of answers to two questions there are. */
export function countPairs(dimensions: readonly Dimension[]): number {
  const sizes = dimensions.map(({ values }) => values.length)
  return sizes.reduce(
    (sum, size, index) => sum + sizes.slice(index + 1).reduce((pairs, other) => pairs + size * other, 0),
    0,
  )
}

/**
 * Cases that cover every pair of answers, hardly more than the two largest questions need. Each is the best
 * of some random ones: the one with the most new pairs (AETG, Cohen et al., 1997).
 */
export function coverPairs(dimensions: readonly Dimension[], random: Random): Case[] {
  const answers = answersTo(dimensions)
  const left = new Pairs(answers)
  const cases: Case[] = []
  for (let wanted = left.first(); wanted !== undefined; wanted = left.first()) {
    let best = draw(answers, wanted, left, random)
    for (let tries = 1; tries < candidates; tries++) {
      const other = draw(answers, wanted, left, random)
      if (other.gained > best.gained) best = other
    }
    for (const [index, one] of best.chosen.entries()) {
      for (const other of best.chosen.slice(index + 1)) left.delete(one, other)
    }
    cases.push(toCase(dimensions, best.chosen))
  }
  return cases
}

/** A case of answers that are drawn by themselves. */
export function drawCase(dimensions: readonly Dimension[], random: Random): Case {
  return toCase(
    dimensions,
    answersTo(dimensions).map((all) => anyOf(all, random)),
  )
}

function answersTo(dimensions: readonly Dimension[]): readonly Answer[][] {
  let place = 0
  return dimensions.map(({ values }, question) =>
    values.map((value) => ({ place: place++, question, value })),
  )
}

/** Beginning with a pair that is wanted, each question gets the answer that makes most new pairs with those given. */
function draw(
  answers: readonly Answer[][],
  [first, second]: readonly [Answer, Answer],
  left: Pairs,
  random: Random,
): { chosen: Answer[]; gained: number } {
  const chosen = [first, second]
  let gained = 1
  const open = answers.filter((_, question) => question !== first.question && question !== second.question)
  for (const all of shuffled(open, random)) {
    let best = anyOf(all, random)
    let most = left.count(best, chosen)
    for (const answer of all) {
      const pairs = left.count(answer, chosen)
      if (pairs <= most) continue
      best = answer
      most = pairs
    }
    chosen.push(best)
    gained += most
  }
  return { chosen, gained }
}

function toCase(dimensions: readonly Dimension[], chosen: readonly Answer[]): Case {
  const inOrder = chosen.toSorted((a, b) => a.question - b.question)
  return Object.fromEntries(inOrder.map(({ question, value }) => [dimensions[question]?.key ?? '', value]))
}

function anyOf(all: readonly Answer[], random: Random): Answer {
  const answer = all[Math.floor(random() * all.length)]
  if (answer === undefined) throw new RangeError('a question has no answers')
  return answer
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

/** Pairs of answers to different questions; all of them to begin with. */
class Pairs {
  readonly #pairs = new Map<number, readonly [Answer, Answer]>()
  readonly #width: number

  constructor(answers: readonly Answer[][]) {
    this.#width = answers.flat().length
    for (const [index, all] of answers.entries()) {
      for (const other of answers.slice(index + 1).flat()) {
        for (const answer of all) this.#pairs.set(this.#key(answer, other), [answer, other])
      }
    }
  }

  first(): readonly [Answer, Answer] | undefined {
    return this.#pairs.values().next().value
  }

  /** How many there are of this answer with any of those. */
  count(one: Answer, others: readonly Answer[]): number {
    let count = 0
    for (const other of others) if (this.#pairs.has(this.#key(one, other))) count += 1
    return count
  }

  delete(one: Answer, other: Answer): void {
    this.#pairs.delete(this.#key(one, other))
  }

  #key({ place: one }: Answer, { place: other }: Answer): number {
    return Math.min(one, other) * this.#width + Math.max(one, other)
  }
}
