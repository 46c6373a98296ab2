import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { openServingDesk } from '../../system/chat/serving-desk.ts'
import { endAll } from '../../system/e2e/process.ts'

const server = postgresForTests()
afterEach(endAll)

test('a question is asked by the configuration in force, also when the file has been broken since', async () => {
  const { file, serving, ask } = await openServingDesk()
  writeFileSync(file, 'channels: nothing of the kind\n')
  await vi.waitUntil(() => serving.stderr().includes('the configuration was not changed'))
  expect(await ask('history claude')).toContain('percent per day')
})

test('without a monitoring service, a question is answered with what is not set up', async () => {
  const { ask } = await openServingDesk({ monitored: false })
  expect(await ask('history claude')).toContain('No monitoring service is set up')
})

test('questions are asked by the connections that the service has to its database', async () => {
  const store = await server().create()
  const { ask } = await openServingDesk({ store })
  const observer = new pg.Client(store)
  await observer.connect()
  onTestFinished(() => observer.end())
  const connections = async () => {
    const { rows } = await observer.query(
      "select from pg_stat_activity where application_name = 'bluepencil' and datname = current_database()",
    )
    return rows.length
  }
  const models = ['claude', 'gemini', 'mistral', 'qwen', 'chatgpt']
  const three = [...models, ...models, ...models]
  await Promise.all(three.map((model) => ask(`history ${model}`)))
  // Its pool has ten at most, and one more is for changes. Each store that is opened anew has a connection of its own.
  expect(await connections()).toBeLessThanOrEqual(11)
})

test('a question in a chat that waits for the budget of commands holds up nothing else', async () => {
  const { folder, origin, people } = await openServingDesk()
  const command = new DatabaseSync(join(folder, 'data', 'people-budget.sqlite'))
  command.exec('BEGIN IMMEDIATE')
  const { payload, afterMs } = await people.send(people.command('history claude'))
  expect(payload?.text).toMatch(/^This takes longer/)
  expect(afterMs).toBeLessThan(3_000)
  expect((await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(2_000) })).status).toBe(200)
  command.exec('COMMIT')
  await vi.waitFor(() => expect(JSON.stringify(people.told)).toContain('percent per day'))
})
