import { counted } from '../platform/text.ts'
import type { StoreTally } from '../store/copy.ts'

export function tallyText({ entries, outcomes, batches, figures, hash }: StoreTally): string {
  const what = `${counted(entries, 'entry', 'entries')}, ${counted(outcomes, 'outcome')}, ${counted(batches, 'batch', 'batches')} of the chain, ${counted(figures, 'figure')}`
  return `${what}; sha256 of all of it: ${hash}\n`
}
