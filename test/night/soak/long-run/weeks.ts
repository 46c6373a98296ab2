import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, openConnection } from '../../../../bench/connection.ts'
import { request, secret } from '../../../../bench/requests.ts'
import { startSandbox } from '../../../../src/service/sandbox/sandbox.ts'
import { nearMs } from '../../../../src/store/near.ts'
import { Answer, type Order, type Sample } from './orders.ts'
import { type Providers, startProviders } from './providers.ts'

export interface Weeks {
  /** Simulated. */
  days: number
  events: number
  /** At even distances, from the first to the last. */
  samples: Sample[]
}

/** Real time, or simulated: a hop is six hours. */
export type Stretch = { milliseconds: number } | { hops: number }

/** What happens in a hop of the clock. */
const day = 24 * 60 * 60_000
const hopMs = day / 4
const eventsPerHop = 100
/** One in so many is for the channels; the others are only kept. */
const toldEvery = 10
const connectionCount = 8
const retentionDays = 5
/**
 * Old events have begun to go, and the recent alerts have reached their full number. From here on nothing has
 * a reason to grow.
 */
const warmUpHops = (nearMs + day) / hopMs
const stumbleEvery = 7
const reloadEvery = 25

/**
 * Weeks at a desk: every six hours a batch of events, with repeats and forgeries, to Slack, Discord and
 * e-mail, which fail now and then. There are a subscription, scrapes, and reloads of the configuration. After the
 * warm-up, which is fifteen days at least, it takes so many samples, one after each stretch.
 */
export async function liveWeeks(plan: { warmUp: Stretch; every: Stretch; samples: number }): Promise<Weeks> {
  const folder = await mkdtemp(join(tmpdir(), 'bluepencil-weeks-'))
  const owed = new Set<string>()
  const providers = await startProviders((provider, eventId) => owed.delete(`${provider} ${eventId}`))
  const service = await startSandbox({ port: 0, seed: 1 })
  const files = await Promise.all(
    [0, 1].map(async (minDelta) => {
      const file = join(folder, `desk-${minDelta}.yaml`)
      await writeFile(file, configuration(folder, service.url, providers, minDelta))
      return file
    }),
  )
  const desk = await startDesk([...files, String(retentionDays), join(folder, 'data')])
  const connections = await Promise.all(
    Array.from({ length: connectionCount }, () => openConnection(desk.port)),
  )
  let hops = 0

  /** Six hours. */
  async function live(): Promise<void> {
    if (hops % stumbleEvery === 0) providers.stumble()
    if (hops % reloadEvery === 0) await desk.order({ do: 'reload' })
    await postBatch(connections, await desk.now(), hops * eventsPerHop, owed)
    await drain(desk, owed, providers)
    await desk.order({ do: 'hop', milliseconds: hopMs })
    hops += 1
  }

  async function liveFor(stretch: Stretch): Promise<void> {
    const [from, begun] = [hops, performance.now()]
    const isOver = () =>
      'hops' in stretch ? hops - from >= stretch.hops : performance.now() - begun >= stretch.milliseconds
    while (!isOver()) await live()
  }

  try {
    await liveFor(plan.warmUp)
    await liveFor({ hops: warmUpHops - hops })
    const samples: Sample[] = []
    while (samples.length < plan.samples) {
      await liveFor(plan.every)
      const { sample } = await desk.order({ do: 'sample' })
      if (sample !== undefined) samples.push(sample)
    }
    for (const connection of connections) connection.close()
    await desk.stop()
    return { days: (hops * hopMs) / day, events: hops * eventsPerHop, samples }
  } finally {
    desk.kill()
    await Promise.all([providers.close(), service.close()])
    await rm(folder, { recursive: true, force: true })
  }
}

/** Distinct events, over several connections; then one of them again, and one that is forged. */
async function postBatch(
  connections: readonly Connection[],
  now: number,
  from: number,
  owed: Set<string>,
): Promise<void> {
  const batch = Array.from({ length: eventsPerHop }, (_, index) => {
    const id = `evt_weeks_${from + index}`
    const isTold = index % toldEvery === 0
    if (isTold) for (const provider of ['slack', 'discord', 'email']) owed.add(`${provider} ${id}`)
    return request('bluepencil', id, now, isTold ? 'claude' : 'gemini')
  })
  const left = batch.values()
  await Promise.all(
    connections.map(async (connection) => {
      for (const bytes of left) expectStatus(await connection.exchange(bytes), 202)
    }),
  )
  const [connection] = connections
  const [known] = batch
  if (connection === undefined || known === undefined) throw new Error('there is nothing to repeat')
  expectStatus(await connection.exchange(known), 200)
  const forged = Buffer.from(known.toString('latin1').replace('claude', 'gemini'), 'latin1')
  expectStatus(await connection.exchange(forged), 401)
}

/**
 * Until every provider has every event, and the desk knows it: a try whose answer is still on its way would be six
 * hours late after the next hop. Time goes on meanwhile, or nobody would pace or retry. While a provider has a
 * try, which has a minute, it goes so slowly that the try gets half a real second.
 */
async function drain(
  desk: Desk,
  owed: ReadonlySet<string>,
  providers: Pick<Providers, 'isBusy'>,
): Promise<void> {
  for (let turns = 0; owed.size > 0 || (await isWaiting(desk)); turns++) {
    if (turns > 10_000)
      throw new Error(`still owed: ${[...owed].slice(0, 5).join(', ') || 'what the desk waits for'}`)
    await desk.order({ do: 'hop', milliseconds: providers.isBusy() ? 250 : 1_000 })
    await delay(2)
  }
}

async function isWaiting({ port }: Desk): Promise<boolean> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return /^bluepencil_queue_waiting\{/m.test(metrics)
}

function expectStatus(status: number, expected: number): void {
  if (status !== expected) throw new Error(`${status} was answered, not ${expected}`)
}

interface Desk {
  order(order: Order): Promise<Answer>
  /** Its time after the last order, milliseconds since the epoch. */
  now(): Promise<number>
  port: number
  stop(): Promise<void>
  kill(): void
}

async function startDesk(args: readonly string[]): Promise<Desk> {
  const child = fork(new URL('./desk.ts', import.meta.url), args, { execArgv: ['--expose-gc'] })
  let waiting = Promise.withResolvers<Answer>()
  let last = waiting.promise
  child.on('message', (message) => waiting.resolve(Answer.parse(message)))
  child.once('exit', (code) => waiting.reject(new Error(`the desk ended with ${code}`)))
  const { port } = await last
  return {
    order(order) {
      waiting = Promise.withResolvers<Answer>()
      last = waiting.promise
      child.send(order)
      return last
    },
    now: async () => (await last).now,
    port,
    async stop() {
      child.removeAllListeners('exit')
      const ended = once(child, 'exit')
      child.send({ do: 'stop' } satisfies Order)
      await ended
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

function configuration(
  folder: string,
  service: string,
  { web, smtp }: { web: string; smtp: string },
  minDelta: number,
): string {
  return [
    '',
    `monitor: { baseUrl: "${service}", apiKey: sandbox-pro }`,
    `webhook: { publicUrl: "http://127.0.0.1:9/webhook", secrets: [${secret}] }`,
    'server: { host: 127.0.0.1, port: 0 }',
    `store: file:${join(folder, 'data')}`,
    `slack: { token: xoxb-for-weeks, apiUrl: "${web}/slack/", intervalMs: 0 }`,
    `discord: { token: token-for-weeks, apiUrl: "${web}/api" }`,
    `email: { smtp: "${smtp}", from: "Bluepencil <bluepencil@desk.example>", requireTls: false }`,
    'operators: [ai-desk]',
    'channels:',
    `  - { name: ai-desk, type: slack, to: "#ai-desk", models: [claude], minDelta: ${minDelta} }`,
    `  - { name: politics, type: discord, to: "1180000000000000001", models: [claude], minDelta: ${minDelta} }`,
    `  - { name: policy-mail, type: email, to: ombud@desk.example, models: [claude], minDelta: ${minDelta} }`,
    '',
  ].join('\n')
}
