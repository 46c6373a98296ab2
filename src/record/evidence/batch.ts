import type { ChainBatch } from '../../store/chain.ts'
import { sha256 } from './bytes.ts'
import { lines } from './file.ts'

const digits = 64

/** A head: the hash of what a batch holds and of the head before it. */
export function headOf({
  number,
  at,
  count,
  digest,
  previous,
  begins,
}: Pick<ChainBatch, 'number' | 'at' | 'count' | 'digest' | 'previous' | 'begins'>): string {
  return sha256(
    lines([
      'bluepencil chain 1',
      `number ${number}`,
      `at ${at}`,
      `count ${count}`,
      `links ${digest}`,
      `previous ${previous}`,
      ...(begins === undefined ? [] : [`begins ${begins}`]),
    ]),
  )
}

export function digestOf(links: readonly string[]): string {
  return sha256(lines(links))
}

export function linksOf({ links }: Pick<ChainBatch, 'links'>): string[] {
  return links === null ? [] : (links.match(new RegExp(`.{${digits}}`, 'g')) ?? [])
}

/** `upTo`: the `seq` of the last of these alerts in the store. */
export function batchOf(
  made: Pick<ChainBatch, 'number' | 'at' | 'upTo' | 'salt' | 'previous' | 'begins'>,
  links: readonly string[],
): ChainBatch {
  const whole = { ...made, count: links.length, digest: digestOf(links) }
  return { ...whole, head: headOf(whole), links: links.join('') }
}

/** Whether it is what its head says, as far as retention has left it. */
export function isWhole(batch: ChainBatch): boolean {
  return headOf(batch) === batch.head && (batch.links === null || digestOf(linksOf(batch)) === batch.digest)
}
