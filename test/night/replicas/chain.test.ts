import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import { chainOf } from '../../support/chain-of.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { until } from '../../system/crash/scene.ts'
import { createSender, secret } from '../../system/crash/sender.ts'
import { createRandom, events } from '../../system/crash/traffic.ts'
import { endAll, type Running, run, start } from '../../system/e2e/process.ts'
import type { ChainStep } from './chain-preload.ts'

const server = postgresForTests()
afterEach(endAll)

const preload = new URL('./chain-preload.ts', import.meta.url).href
const steps: ChainStep[] = ['before insert', 'after insert', 'before commit', 'after commit']

test('who chains is killed at each step of a batch: another goes on, and each alert is in the one chain once, in order', {
  timeout: 300_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chained-'))
  const config = join(folder, 'b.yaml')
  const store = await server().create()
  writeFileSync(
    config,
    `
store: ${store}
server: { host: 127.0.0.1, port: 0 }
webhook: { secrets: [${secret}] }
channels: [{ name: desk, type: console }]
`,
  )
  const alive: Running[] = []
  const portOf = (one: Running | undefined) => one?.log().find(({ message }) => message === 'ready')?.port
  async function serve(dies?: ChainStep): Promise<Running> {
    const env = dies === undefined ? {} : { NODE_OPTIONS: `--import=${preload}`, CHAIN_DIES: dies }
    const started = start(['serve', '--config', config], { env })
    alive.push(started)
    void started.ended.then(() => alive.splice(alive.indexOf(started), 1))
    await until('it is ready', () => portOf(started) !== undefined)
    return started
  }
  const random = createRandom(21)
  const anyone = () => `http://127.0.0.1:${portOf(alive[Math.floor(random() * alive.length)])}/webhook`
  const sender = createSender(anyone, random, () => {})

  // It has the role at first, and chains when it begins: what comes now waits for its next round.
  const first = await serve()
  const dying: Running[] = []
  for (const step of steps) dying.push(await serve(step))
  await sender.send(events('a', 8), 4)
  first.kill('SIGKILL')
  await first.ended
  // Nobody is there to take what is sent while the last of them is dead and the next one begins: it is sent until it is taken.
  const sending = [sender.send(events('b0', 4), 2)]
  for (let died = 1; died <= steps.length; died++) {
    const ended = async () => dying.filter((one) => !alive.includes(one)).length
    await until(`replica ${died} was killed`, async () => (await ended()) >= died, 120_000)
    // Not before: it would have the role that the last of them is to die in.
    if (died === steps.length) await serve()
    sending.push(sender.send(events(`b${died}`, 4), 2))
  }
  await Promise.all(sending)
  expect(await Promise.all(dying.map(({ ended }) => ended))).toEqual(steps.map(() => 'SIGKILL'))

  // Commands chain as well, all at once, beside the one that has the role now: by them all of the last four are chained.
  const files = [0, 1, 2, 3].map((number) => join(folder, `${number}.json`))
  const results = await Promise.all(
    files.map((file, index) =>
      run(['evidence', `evt_b${steps.length}_${index}`, '--config', config, '--output', file]),
    ),
  )
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  const [, head = ''] = / ([0-9a-f]{64})\n/.exec((await run(['chain', '--config', config])).stdout) ?? []
  const verified = await Promise.all(files.map((file) => run(['verify', file])))
  expect(verified.map(({ code }) => code)).toEqual([0, 0, 0, 0])

  const reader = await openPostgresStore(store)
  const chained = await chainOf(reader)
  await reader.close()
  expect(chained).toMatchObject({ links: chained.alerts, faults: [], newest: head })
  expect(chained.ids.toSorted()).toEqual([...sender.answers.keys()].toSorted())
})
