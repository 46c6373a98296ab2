import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { batchOf } from '../../../src/record/evidence/batch.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { chainAll } from '../../support/chain-all.ts'
import { alert } from '../../support/fakes/events.ts'
import { freePort } from '../../support/free-port.ts'
import { endAll, run, start } from '../../system/e2e/process.ts'

afterEach(endAll)

/** `HEADS=120000`: as many as three months make. */
const heads = Number(process.env.HEADS ?? 6_000)

/** A store with one old alert, and a chain that went on for long. */
async function longChain(data: string): Promise<void> {
  const store = await openSqliteStore(data, { now: Date.now, onTrouble: () => {} })
  await store.accept([{ entry: alert({ id: 'evt_old' }), outcomes: {} }])
  await chainAll({ store, now: Date.now })
  let last = await store.chain.newest()
  await store.close()
  const database = new DatabaseSync(join(data, 'bluepencil.sqlite'))
  const add = database.prepare(
    'insert into chain (number, at, up_to, salt, count, digest, previous, head, links) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  database.exec('begin')
  while (last !== undefined && last.number < heads) {
    const { number, at, upTo, salt, head } = last
    last = batchOf({ number: number + 1, at, upTo: upTo + 1, salt, previous: head }, ['0'.repeat(64)])
    add.run(last.number, at, last.upTo, salt, last.count, last.digest, head, last.head, last.links)
  }
  database.exec('commit')
  database.close()
}

test(`evidence of an old alert with ${heads} heads behind it is there soon, one file at a time for each person`, {
  timeout: 300_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'long-chain-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [port, page] = [await freePort(), await freePort()]
  const config = join(folder, 'b.yaml')
  writeFileSync(
    config,
    `store: file:${folder}/data
server: { host: 127.0.0.1, port: ${port} }
console: { listen: { port: ${page} } }
webhook: { secrets: [whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cw] }
channels: [{ name: desk, type: console }]
`,
  )
  await longChain(`${folder}/data`)
  start(['serve', '--config', config])
  const isUp = async () =>
    (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok === true
  await vi.waitUntil(isUp, { timeout: 60_000 })

  const url = `http://127.0.0.1:${page}/console/alerts/evt_old/evidence`
  const [cookie = ''] = (await fetch(`http://127.0.0.1:${page}/console/`)).headers.getSetCookie()
  const headers = { cookie: cookie.split(';')[0] ?? '' }
  const began = performance.now()
  const both = await Promise.all([fetch(url, { headers }), fetch(url, { headers })])
  const files = await Promise.all(both.map((answer) => answer.text()))
  const pageMs = performance.now() - began
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 429]))
  expect(files.some((text) => text.includes('Another file is being made for you'))).toBe(true)

  // A request that is closed ends what was begun for it: the next one need not wait for it.
  const leaving = new AbortController()
  const left = fetch(url, { headers, signal: leaving.signal }).catch((error: unknown) => String(error))
  setTimeout(() => leaving.abort(), 20)
  await left
  await vi.waitUntil(async () => (await fetch(url, { headers })).status === 200, {
    timeout: 10_000,
    interval: 20,
  })

  const proof = join(folder, 'proof.json')
  const begunAt = performance.now()
  const made = await run(['evidence', 'evt_old', '--config', config, '--output', proof])
  const commandMs = performance.now() - begunAt
  expect([made.code, made.stderr]).toEqual([0, ''])
  expect(JSON.parse(readFileSync(proof, 'utf8')).chain.heads).toHaveLength(heads)
  expect(await run(['verify', proof])).toMatchObject({ code: 0 })
  process.stderr.write(
    `${heads} heads: the page ${Math.round(pageMs)} ms, the command ${Math.round(commandMs)} ms\n`,
  )
  // A square of the length would be minutes.
  expect(Math.max(pageMs, commandMs)).toBeLessThan(15_000)
})
