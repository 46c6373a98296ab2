import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Act } from '../../../src/event/act.ts'
import { connectControl } from '../../../src/people/control/connect.ts'
import type { Control } from '../../../src/people/control/control.ts'
import { delivery } from '../../support/app.ts'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { startDiscordGateway } from '../../support/fakes/discord-gateway.ts'
import { createDiscordKey } from '../../support/fakes/discord-people.ts'
import { secret, signed } from '../../support/fakes/signed.ts'
import { startSlackPeople } from '../../support/fakes/slack-people.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { freePort } from '../../support/free-port.ts'
import { eachAlone, type Running, start } from '../e2e/process.ts'
import { movedEnvironment } from './moved-clock.ts'
import type { Orders } from './preload.ts'
import { until } from './scene.ts'

interface Settings {
  /** How clicks and commands arrive: through connections of ours, or by signed requests. */
  heard: 'kept' | 'signed'
  /** Of the channels `slack` and `discord`, in YAML: `quiet: …`. */
  slack?: string
  discord?: string
}

/** A request that a provider has, or has done. */
export interface Moment {
  provider: 'slack' | 'discord'
  moment: 'received' | 'done'
  request: string
}

export type ChatDesk = Awaited<ReturnType<typeof openChatDesk>>

/** `serve` as a process that dies, and Slack and Discord, which stay, with the people in them. */
export async function openChatDesk({ heard, slack: ofSlack = '', discord: ofDiscord = '' }: Settings) {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-clicks-'))
  const store = join(folder, 'data')
  const configFile = join(folder, 'bluepencil.yaml')
  const ordersFile = join(folder, 'orders.json')
  const preload = new URL('./preload.ts', import.meta.url)
  const clock = new URL('./moved-clock.ts', import.meta.url)
  let plan: { which: (moment: Moment) => boolean; act: () => Promise<void> } | undefined

  async function witness(moment: Moment): Promise<void> {
    if (plan?.which(moment) !== true) return
    const { act } = plan
    plan = undefined
    await act()
  }

  const people = await startSlackPeople()
  const gateway = await startDiscordGateway({ heartbeatMs: 5_000 })
  const key = createDiscordKey()
  const slack = await startSlack({
    people,
    witness: (moment, request) => witness({ provider: 'slack', moment, request }),
  })
  const discord = await startFakeDiscord({
    gatewayUrl: gateway.url,
    witness: (moment, request) => witness({ provider: 'discord', moment, request }),
  })
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const ways =
    heard === 'kept'
      ? { slack: `appToken: ${people.appToken}`, discord: 'gateway: true' }
      : { slack: `signingSecret: "${people.signingSecret}"`, discord: `publicKey: "${key.publicKey}"` }
  writeFileSync(
    configFile,
    [
      '',
      `webhook: { secrets: ["${secret}"] }`,
      `server: { host: 127.0.0.1, port: ${port} }`,
      `store: file:${store}`,
      `slack: { token: "${slack.token}", apiUrl: "${slack.apiUrl}", intervalMs: 0, ${ways.slack} }`,
      `discord: { token: "${discord.token}", apiUrl: "${discord.url}", ${ways.discord} }`,
      'channels:',
      `  - { name: slack, type: slack, to: "#ai-desk", timeZone: Europe/Berlin, ${ofSlack} }`,
      `  - { name: discord, type: discord, to: "${discord.channelId}", timeZone: Europe/Berlin, ${ofDiscord} }`,
      '',
    ].join('\n'),
  )
  const processes: Running[] = []

  function life(): Running {
    const last = processes.at(-1)
    if (last === undefined) throw new Error('no process was begun')
    return last
  }

  /** Whether clicks and commands can arrive. */
  async function isReady(): Promise<boolean> {
    const isUp = await fetch(`${origin}/healthz`).then(
      () => true,
      () => false,
    )
    return isUp && (heard === 'signed' || (people.connections() === 1 && gateway.isHeard()))
  }

  async function begin(): Promise<void> {
    await until('the last one is gone', () => people.connections() + gateway.connections() === 0)
    const env = {
      ...movedEnvironment(),
      NODE_OPTIONS: `${eachAlone} --import=${clock.href} --import=${preload.href}`,
      CRASH_ORDERS: ordersFile,
    }
    const next = start(['serve', '--config', configFile], { env })
    processes.push(next)
    let isOver = false
    void next.ended.then(() => {
      isOver = true
    })
    await until('serve answers', async () => isOver || (await isReady()))
    if (isOver && (await next.ended) !== 'SIGKILL') throw new Error(`serve ended: ${next.stderr()}`)
  }

  async function kill(): Promise<void> {
    life().kill('SIGKILL')
    await life().ended
  }

  async function answered<T>(question: (control: Control) => Promise<T>): Promise<T> {
    let control: Control | undefined
    // It is served when the process is up, and may be gone again.
    await until('commands are answered', async () => {
      control = await connectControl(store)
      return control !== undefined
    })
    if (control === undefined) throw new Error('commands are not answered')
    try {
      return await question(control)
    } finally {
      await control.close()
    }
  }

  async function outcomes(id: string) {
    return (await answered((control) => control.event(id)))?.outcomes ?? {}
  }

  return {
    origin,
    heard,
    people,
    slack,
    discord,
    gateway,
    key,
    begin,
    kill,
    ended: () => life().ended,
    /** The process that lives ends itself with -9 at a step. */
    async order(orders: Orders) {
      writeFileSync(ordersFile, JSON.stringify(orders))
      process.kill(life().pid, 'SIGUSR2')
      await until('the orders are read', () => life().stderr().includes('the orders are read'))
    },
    /** Does this, once, when a provider has such a request; the provider goes on when it has ended. */
    at(which: (moment: Moment) => boolean, act: () => Promise<void>) {
      plan = { which, act }
    },
    /** The service reports a change; resolves when it is on disk. */
    async deliver(id: string, changes: object = {}, detectedMs = Date.now()) {
      const body = delivery(id, detectedMs, changes)
      const { status } = await fetch(`${origin}/webhook`, { method: 'POST', body, headers: signed(body) })
      if (status !== 202) throw new Error(`the delivery of ${id} was answered ${status}`)
    },
    outcomes,
    /** Resolves when the event has this state in both channels. */
    both: (id: string, state: string) =>
      until(`${id} is ${state}`, async () => {
        const { slack: one, discord: other } = await outcomes(id)
        return one?.state === state && other?.state === state
      }),
    /** What people did, oldest first. */
    async acts(): Promise<Act[]> {
      const rows = await answered((control) => control.events({ limit: 1_000 }))
      return rows.flatMap(({ entry }) => (entry.kind === 'act' ? [entry] : [])).toReversed()
    },
    silences: () => answered((control) => control.acts.silences()),
    /** All that stands in each place, oldest first, as text. */
    async standing(): Promise<{ slack: string[]; discord: string[] }> {
      return {
        slack: (await slack.read('ai-desk')).map(({ blocks }) => JSON.stringify(blocks)),
        // As it stands there and not as it was posted; without the escapes of its markup.
        discord: discord
          .posted(discord.channelId)
          .map((one) => JSON.stringify({ ...one, body: undefined }).replaceAll('\\\\', '')),
      }
    },
    /** Log lines of any of the processes that say that something went wrong. */
    errors: () =>
      processes
        .flatMap((one) => one.stderr().split('\n'))
        .filter((line) => /"level":"(error|fatal)"|^bluepencil: /.test(line)),
    async close() {
      for (const running of processes) running.kill('SIGKILL')
      await Promise.all(processes.map(({ ended }) => ended))
      gateway.close()
      await Promise.all([people.close(), slack.close(), discord.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
