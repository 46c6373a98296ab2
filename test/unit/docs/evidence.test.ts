import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EvidenceFile } from '../../../src/record/evidence/file.ts'
import { allOf, read } from '../../support/markdown.ts'
import { chained } from '../record/evidence/scene.ts'
import { temporaryFolder } from '../store/folder.ts'

const [program] = allOf('code', read('docs/evidence.md')).filter(({ lang }) => lang === 'js')

/** What the verifier of the page prints about a file of evidence. */
async function verdict(file: EvidenceFile): Promise<string[]> {
  const folder = await temporaryFolder()
  const evidence = join(folder, 'evidence.json')
  writeFileSync(join(folder, 'verify.mjs'), program?.text ?? '')
  writeFileSync(evidence, JSON.stringify(file))
  const { stdout, stderr } = spawnSync(process.execPath, ['verify.mjs', evidence], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

test('the verifier in docs/evidence.md accepts a file that was made, and names each part that was changed', async () => {
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
