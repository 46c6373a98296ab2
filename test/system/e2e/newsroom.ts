import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { vi } from 'vitest'
import * as z from 'zod'
import { createMovedClock } from '../../../src/commands/demo/clock.ts'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { type FakeDiscord, startFakeDiscord } from '../../support/fakes/discord.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { type FakeSmtp, startFakeSmtp } from '../../support/fakes/smtp.ts'
import { freePort } from '../../support/free-port.ts'
import { storedState } from '../../support/stored.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { endAll, type Running, start } from './process.ts'

type FakeSlack = Awaited<ReturnType<typeof startSlack>>

/** The three providers of a newsroom, and what their readers see. */
export interface Providers {
  slack: FakeSlack
  discord: FakeDiscord
  smtp: FakeSmtp
  /** The ids that each channel's readers see, in their order. */
  read(): Promise<{ slack: string[]; discord: string[]; email: string[] }>
  close(): Promise<void>
}

/** What each of the three channels gets, as lines of the configuration: `models: [claude]`. */
export interface ChannelSettings {
  slack: string
  discord: string
  email: string
}

/** A monitoring service, three providers, and Bluepencil between them, as a process of its own. */
export interface Newsroom extends Providers {
  folder: string
  configFile: string
  /** Where Bluepencil is: `http://127.0.0.1:PORT`. Of several processes, each is asked in turn. */
  origin: string
  /** Starts Bluepencil, or one process of it, and waits until it is subscribed. */
  serve(env?: Record<string, string>, replica?: number): Promise<Running>
  /** Has the monitoring service deliver an event, `repeat` times in all. */
  fire(event: object): Promise<string>
  /** Moves the monitoring service's clock on by so many milliseconds: what it would try again later, it tries now. */
  skip(milliseconds: number): void
  /** What the monitoring service tried, oldest first. */
  attempts(): Promise<Attempt[]>
  /** The signing secret, as Bluepencil holds it. */
  secret(): Promise<string>
}

const Attempt = z.object({ eventId: z.string(), status: z.number().optional(), error: z.string().optional() })
type Attempt = z.infer<typeof Attempt>

/** Equal processes on a database of Postgres. */
interface Replicas {
  count: number
  store: string
}

export async function openProviders(): Promise<Providers> {
  const [slack, discord, smtp] = await Promise.all([
    startSlack(),
    startFakeDiscord(),
    startFakeSmtp({ users: { desk: 'smtp-password' } }),
  ])
  return {
    slack,
    discord,
    smtp,
    async read() {
      const ids = (texts: string[]) => texts.flatMap((text) => /evt_[\w-]+/.exec(text)?.[0] ?? [])
      return {
        // Operators read there too; a notice may name an event, and is none.
        slack: ids(
          (await slack.read('ai-desk'))
            .filter((message) => !JSON.stringify(message.metadata ?? {}).includes('"ntc_'))
            .map((message) => JSON.stringify(message.blocks)),
        ),
        discord: ids(discord.posted(discord.channelId).map((message) => JSON.stringify(message))),
        email: ids(smtp.messages().map(({ raw }) => raw)),
      }
    },
    async close() {
      await Promise.all([slack.close(), discord.close(), smtp.close()])
    },
  }
}

interface ConfigText {
  service: string
  publicUrl: string
  port: number
  polling: 'auto' | 'off'
  store: string
}

export function configText(
  { slack, discord, smtp }: Providers,
  channels: ChannelSettings,
  { service, publicUrl, port, polling, store }: ConfigText,
): string {
  return [
    '',
    `monitor: { baseUrl: "${service}", apiKey: sandbox-pro }`,
    `webhook: { publicUrl: "${publicUrl}" }`,
    `polling: { mode: ${polling} }`,
    `server: { host: 127.0.0.1, port: ${port} }`,
    `store: ${store}`,
    `slack: { token: "${slack.token}", apiUrl: "${slack.apiUrl}", intervalMs: 0 }`,
    `discord: { token: "${discord.token}", apiUrl: "${discord.url}" }`,
    `email: { smtp: "${smtp.url('desk', 'smtp-password')}", ca: "${smtp.ca}", from: "Bluepencil <bluepencil@desk.example>" }`,
    'operators: [ai-desk]',
    'channels:',
    `  - { name: ai-desk, type: slack, to: "#ai-desk", ${channels.slack} }`,
    `  - { name: politics, type: discord, to: "${discord.channelId}", ${channels.discord} }`,
    `  - { name: policy-mail, type: email, to: ombud@desk.example, ${channels.email} }`,
    '',
  ].join('\n')
}

export async function openNewsroom(
  channels: ChannelSettings,
  polling: 'auto' | 'off' = 'off',
  replicas?: Replicas,
): Promise<Newsroom> {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-e2e-'))
  const providers = await openProviders()
  const clock = createMovedClock(0)
  const sandbox = await startSandbox({ port: 0, seed: 7, clock })
  const { url } = sandbox
  const control = `${sandbox.origin}/_sandbox`
  const ports = await Promise.all(Array.from({ length: replicas?.count ?? 1 }, () => freePort()))
  const origins = ports.map((port) => `http://127.0.0.1:${port}`)
  const balancer: Balancer | undefined = replicas && (await startBalancer(origins))
  const origin = balancer?.origin ?? origins[0] ?? ''
  const configFiles = ports.map((port, index) => {
    const file = join(folder, index === 0 ? 'bluepencil.yaml' : `bluepencil-${index + 1}.yaml`)
    const store = replicas?.store ?? `file:${folder}/data`
    writeFileSync(
      file,
      configText(providers, channels, { service: url, publicUrl: origin, port, polling, store }),
    )
    return file
  })
  const [configFile = ''] = configFiles

  async function readyz(replica: number): Promise<{ subscription?: { state?: string } } | undefined> {
    const answer = await fetch(`${origins[replica]}/readyz`).catch(() => undefined)
    return answer === undefined
      ? undefined
      : z.object({ subscription: z.object({ state: z.string() }) }).parse(await answer.json())
  }

  return {
    ...providers,
    folder,
    configFile,
    origin,
    async serve(env = {}, replica = 0) {
      const serving = start(['serve', '--config', configFiles[replica] ?? ''], { env })
      const ready = async () => {
        if (serving.stderr().includes('bluepencil: ')) throw new Error(serving.stderr())
        const state = (await readyz(replica))?.subscription?.state
        return state === 'active' || (replicas !== undefined && state === 'kept by another process')
      }
      await vi.waitUntil(ready, { timeout: 50_000, interval: 25 }).catch((error: unknown) => {
        throw new Error(`Bluepencil is not subscribed:\n${serving.stderr()}`, { cause: error })
      })
      return serving
    },
    async fire(event) {
      const answer = await fetch(`${control}/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(event),
      })
      return z.object({ id: z.string() }).parse(await answer.json()).id
    },
    skip: clock.move,
    async attempts() {
      const answer = await fetch(`${control}/deliveries`)
      return z.array(Attempt).parse(await answer.json())
    },
    async secret() {
      const text = replicas === undefined ? storedState(join(folder, 'data')) : await stateIn(replicas.store)
      const secret = /"(whsec_[^"]+)"/.exec(text)?.[1]
      if (secret === undefined) throw new Error('no secret is stored')
      return secret
    },
    async close() {
      endAll()
      balancer?.close()
      await Promise.all([sandbox.close(), providers.close()])
    },
  }
}

async function stateIn(store: string): Promise<string> {
  const client = new pg.Client(store)
  await client.connect()
  const { rows } = await client.query<{ value: string }>('select value from bluepencil.state')
  await client.end()
  return rows.map(({ value }) => value).join('\n')
}
