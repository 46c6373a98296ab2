import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import type { StoredEntry } from '../../../src/store/store.ts'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { startFakeSmtp } from '../../support/fakes/smtp.ts'
import { freePort } from '../../support/free-port.ts'
import type { PostgresServer } from '../../support/postgres/server.ts'
import { audit, type Mail } from '../../system/crash/books.ts'
import { until } from '../../system/crash/scene.ts'
import { createSender, type Fired, secret } from '../../system/crash/sender.ts'
import { eachAlone, type Running, start } from '../../system/e2e/process.ts'
import { secondPollers, startFront } from './front.ts'

const channels = ['slack', 'discord', 'mail'] as const
const recipients = ['ombud@desk.example']
/** Milliseconds between two messages to Slack's conversation. */
export const paceMs = 20

interface Replica {
  port: number
  process: Running
  isAlive: boolean
}

/** So many equal processes on one database, three providers that stay, and the books of what was promised. */
export async function openReplicas(server: PostgresServer, count: number, random: () => number) {
  const folder = mkdtempSync(join(tmpdir(), 'replicas-'))
  const store = await server.create()
  const mails: Mail[] = []
  const slackAt: number[] = []
  const ended: Running[] = []
  let lives = 0

  const [slack, discord, smtp] = await Promise.all([
    startSlack({
      witness(moment, request) {
        if (moment === 'received' && request.includes('postMessage')) slackAt.push(performance.now())
      },
    }),
    startFakeDiscord(),
    startFakeSmtp({
      witness(moment, raw) {
        if (moment === 'done') mails.push(mailOf(raw))
      },
    }),
  ])
  const service = start(['sandbox', '--port', '0'])
  await until('the sandbox answers', () => service.stdout().includes('is at '))
  const serviceUrl = /is at (\S+)/.exec(service.stdout())?.[1] ?? ''
  const front = await startFront(serviceUrl)
  const endedAt = new Map<number, number>()
  const awayAt: number[] = []
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()))
  const replicas: Replica[] = []

  async function begin(port: number): Promise<Replica> {
    lives += 1
    const life = lives
    const configFile = join(folder, `${life}.yaml`)
    // All alike, but for what shows who sent a mail, and who asked the service.
    writeFileSync(
      configFile,
      [
        '',
        `monitor: { baseUrl: "${front.url(life)}", apiKey: sandbox-pro }`,
        `webhook: { publicUrl: "http://127.0.0.1:${ports[0]}", secrets: ["${secret}"] }`,
        'polling: { mode: always, interval: 10s }',
        `server: { host: 127.0.0.1, port: ${port} }`,
        'log: warn',
        `store: ${store}`,
        `slack: { token: "${slack.token}", apiUrl: "${slack.apiUrl}", intervalMs: ${paceMs} }`,
        `discord: { token: "${discord.token}", apiUrl: "${discord.url}" }`,
        `email: { smtp: "${smtp.url()}", ca: "${smtp.ca}", from: "Bluepencil <bluepencil-${life}@desk.example>" }`,
        'channels:',
        '  - { name: slack, type: slack, to: "#ai-desk", models: [chatgpt, claude, gemini, mistral] }',
        `  - { name: discord, type: discord, to: "${discord.channelId}", models: [chatgpt, claude, gemini, mistral] }`,
        `  - { name: mail, type: email, to: [${recipients.join()}], models: [claude] }`,
        '',
      ].join('\n'),
    )
    const env = {
      NODE_OPTIONS: `${eachAlone} --import=${new URL('../../support/fakes/soon-again.ts', import.meta.url).href}`,
    }
    const process = start(['serve', '--config', configFile], { env })
    const replica = { port, process, isAlive: true }
    void process.ended.then(() => {
      replica.isAlive = false
      endedAt.set(life, performance.now())
    })
    return replica
  }

  /** Until it answers, or ends: if Postgres is away, a process does not start. */
  async function answers({ port, process }: Replica): Promise<boolean> {
    let isOver = false
    void process.ended.then(() => {
      isOver = true
    })
    await until(
      'serve answers',
      async () =>
        isOver ||
        (await fetch(`http://127.0.0.1:${port}/healthz`).then(
          () => true,
          () => false,
        )),
      // On a machine that is busy with all of them.
      180_000,
    )
    return !isOver
  }

  async function keepUp(index: number): Promise<void> {
    const port = ports[index] ?? 0
    for (;;) {
      const replica = await begin(port)
      replicas[index] = replica
      if (await answers(replica)) return
      ended.push(replica.process)
      await wait(200)
    }
  }

  await Promise.all(ports.map((_, index) => keepUp(index)))
  const sender = createSender(
    () => `http://127.0.0.1:${ports[Math.floor(random() * ports.length)]}/webhook`,
    random,
    () => undefined,
  )

  async function stored(): Promise<StoredEntry[]> {
    const reader = await openPostgresStore(store)
    try {
      return await reader.list({ limit: 1_000_000 })
    } finally {
      await reader.close()
    }
  }

  async function owed(): Promise<number> {
    const reader = await openPostgresStore(store)
    try {
      return (await reader.backlog()).reduce((sum, { waiting }) => sum + waiting, 0)
    } finally {
      await reader.close()
    }
  }

  return {
    sender,
    lives: () => lives,
    /** Ends one with -9, and starts another in its place. */
    async replace(index: number): Promise<void> {
      const replica = replicas[index]
      replica?.process.kill('SIGKILL')
      await replica?.process.ended
      if (replica !== undefined) ended.push(replica.process)
      await keepUp(index)
    },
    /** Postgres ends now. */
    away: () => void awayAt.push(performance.now()),
    settled: (withinMs: number) => until('nothing is owed', async () => (await owed()) === 0, withinMs),
    async finish(fired: readonly Fired[]) {
      const webhooks = await fetch(`${serviceUrl}/webhooks`, {
        headers: { authorization: 'Bearer sandbox-pro' },
      })
      const subscriptions: unknown = await webhooks.json()
      const exits = await Promise.all(
        replicas.map(({ process }) => {
          process.kill('SIGTERM')
          return process.ended
        }),
      )
      const died = replicas
        .filter((_, index) => exits[index] !== 0)
        .map(({ process }) => process.stderr().slice(-2_000))
      const ids = new Set(fired.map(({ id }) => id))
      const wantedBy = ({ model }: Fired) =>
        channels.filter((channel) => channel !== 'mail' || model === 'claude')
      const read = new Map([
        ['slack', (await slack.read('ai-desk')).map(({ blocks }) => idIn(JSON.stringify(blocks)))],
        ['discord', discord.posted(discord.channelId).map((message) => idIn(JSON.stringify(message)))],
      ])
      const audited = audit({
        fired: [...new Map(fired.map((one) => [one.id, { ...one, wantedBy: wantedBy(one) }])).values()],
        answers: sender.answers,
        stored: (await stored()).filter(({ entry }) => ids.has(entry.id)).toReversed(),
        channels,
        recipients,
        read: new Map([...read].map(([name, all]) => [name, all.filter((id) => ids.has(id))])),
        mails: mails.filter(({ id }) => ids.has(id)),
        lives,
      })
      const pollers = new Set(front.asked.map(({ life }) => life)).size
      const faults = [...audited.faults, ...secondPollers(front.asked, { endedAt, awayAt })]
      return { ...audited, faults, died, subscriptions, slackAt, pollers, asked: front.asked.length }
    },
    async close() {
      for (const { process } of replicas) process.kill('SIGKILL')
      service.kill('SIGKILL')
      await Promise.all([...replicas.map(({ process }) => process.ended), service.ended])
      front.close()
      await Promise.all([slack.close(), discord.close(), smtp.close()])
    },
  }
}

function mailOf(raw: string): Mail {
  const messageId = /^Message-ID:\s+(<.*>)/im.exec(raw)?.[1] ?? ''
  const to = /^To: (.*?)\r?$/im.exec(raw)?.[1] ?? ''
  return { id: idIn(raw), to, messageId, life: Number(/^From: .*bluepencil-(\d+)@/im.exec(raw)?.[1]) }
}

/** A mail may have soft line breaks in the middle of it (RFC 2045, 6.7). */
function idIn(text: string): string {
  return /evt_[\w-]+/.exec(text.replaceAll('=\r\n', ''))?.[0] ?? ''
}
