import type { Batch } from './engine.ts'

/**
 * A batch on its way to a thread: as JSON, since to clone its thousands of values one by one takes twice as long. Long texts are beside
 * it: most are JSON already, and to escape and read them again was half of the cost.
 */
export interface BatchMessage {
  json: string
  texts: readonly string[]
}

const longText = 100

export function packBatch(batch: Batch): BatchMessage {
  const texts: string[] = []
  const pack = (value: unknown) =>
    typeof value === 'string' && value.length > longText ? { text: texts.push(value) - 1 } : value
  const packed = batch.map(({ text, rows }) => ({ text, rows: rows.map((row) => row.map(pack)) }))
  return { json: JSON.stringify(packed), texts }
}

export function unpackBatch({ json, texts }: BatchMessage): Batch {
  // No statement takes an object: each of them stands for a text.
  const unpack = (value: unknown) => (isPlace(value) ? texts[value.text] : value)
  const packed = JSON.parse(json) as Batch
  return packed.map(({ text, rows }) => ({ text, rows: rows.map((row) => row.map(unpack)) }))
}

function isPlace(value: unknown): value is { text: number } {
  return typeof value === 'object' && value !== null && 'text' in value
}
