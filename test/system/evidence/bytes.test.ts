import { expect, test } from 'vitest'
import { verifyEvidence } from '../../../src/record/evidence/verify.ts'
import { chained } from '../../unit/record/evidence/scene.ts'

/** For each byte the member of the file that it belongs to; `form` for the braces around them all. */
function partsOf(text: string): string[] {
  let part = 'form'
  return text.split(/(?<=\n)/).flatMap((line) => {
    part = /^ {2}"(\w+)":/.exec(line)?.[1] ?? (/^[{}]/.test(line) ? 'form' : part)
    return Array.from(Buffer.from(line), () => part)
  })
}

test('for each changed byte of a file, the part that contains it is named', {
  timeout: 300_000,
}, async () => {
  const text = await (await chained()).evidence()
  const bytes = Buffer.from(text)
  const parts = partsOf(text)
  expect(parts.length).toBe(bytes.length)
  const unnamed: unknown[] = []
  for (const [offset, part] of parts.entries()) {
    const changed = Buffer.from(bytes)
    changed[offset] = (changed[offset] ?? 0) ^ (1 << (offset % 8))
    const named = verifyEvidence(changed).problems.map((problem) => problem.part)
    if (!named.includes(part)) unnamed.push({ offset, part, named })
  }
  expect(unnamed).toEqual([])
})
