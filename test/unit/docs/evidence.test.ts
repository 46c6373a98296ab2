import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EvidenceFile } from '../../../src/record/evidence/file.ts'
import { chained } from '../record/evidence/scene.ts'
import { temporaryFolder } from '../store/folder.ts'

/** What the verifier for others prints about a file of evidence. */
async function verdict(file: EvidenceFile): Promise<string[]> {
  const folder = await temporaryFolder()
  const evidence = join(folder, 'evidence.json')
  writeFileSync(evidence, JSON.stringify(file))
  const { stdout, stderr } = spawnSync(process.execPath, ['docs/verify-evidence.mjs', evidence], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

test('docs/verify-evidence.mjs accepts a file that was made, and names each part that was changed', async () => {
  const file: EvidenceFile = JSON.parse(await (await chained()).evidence())
  const newest = `newest head: ${file.chain.heads.at(-1)?.head}`
  expect(await verdict(file)).toEqual([newest])

  const body = Buffer.from('{"id":"evt_2"}').toString('base64')
  const changed = {
    ...file,
    body,
    way: 'list' as const,
    headers: { ...file.headers, host: 'a' },
    signature: null,
  }
  const parts = ['way', 'headers', 'signature', 'body'].map((name) => `${name} was changed`)
  expect(await verdict(changed)).toEqual([...parts, newest])

  const [first, ...later] = file.chain.heads
  const heads = first === undefined ? [] : [{ ...first, count: first.count + 1 }, ...later]
  expect(await verdict({ ...file, chain: { ...file.chain, heads } })).toEqual(['head 2 was changed', newest])
})
