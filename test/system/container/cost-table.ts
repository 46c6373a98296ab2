import type { StepCost } from './person.ts'

/** How the first start went with a container, or with the package. */
export interface TriedWay {
  way: string
  costs: readonly StepCost[]
}

export function total(costs: readonly StepCost[], key: Exclude<keyof StepCost, 'step'>): number {
  return costs.reduce((sum, cost) => sum + cost[key], 0)
}

/** From the start to the end of this step. */
export function secondsUntil(step: string, costs: readonly StepCost[]): number {
  return total(costs.slice(0, costs.findIndex((cost) => cost.step === step) + 1), 'seconds')
}

/** A Markdown table: what each step needs, and the time since the start at its end, for each way. */
export function stepTable(tried: readonly TriedWay[]): string {
  const costs = tried[0]?.costs ?? []
  const rows = costs.map(({ step, words, fields, clicks }) => [
    step,
    ...[words, fields, clicks].map(String),
    ...tried.map((way) => minutes(secondsUntil(step, way.costs))),
  ])
  const sums = (['words', 'fields', 'clicks'] as const).map((key) => String(total(costs, key)))
  const head = ['step', 'words', 'fields', 'clicks', ...tried.map(({ way }) => `${way}, min`)]
  const all = ['in all', ...sums, ...tried.map((way) => minutes(total(way.costs, 'seconds')))]
  return [head, head.map(() => '---'), ...rows, all].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

/** As 2:05. */
function minutes(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
