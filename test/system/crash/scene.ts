import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectControl } from '../../../src/people/control/connect.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { StoredEntry } from '../../../src/store/store.ts'
import { type FakeDiscordOptions, startFakeDiscord } from '../../support/fakes/discord.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { startFakeSmtp } from '../../support/fakes/smtp.ts'
import { freePort } from '../../support/free-port.ts'
import { eachAlone, type Running, start } from '../e2e/process.ts'
import { audit, type Mail } from './books.ts'
import type { Orders } from './preload.ts'
import { createSender, type Fired, type Sender, secret } from './sender.ts'

type Provider = 'slack' | 'discord' | 'mail'

/** A request that a provider was sent. Mails have no name: theirs is the whole mail. */
export interface Moment {
  provider: Provider
  moment: 'received' | 'done'
  request: string
}

export interface SceneOptions {
  random: () => number
  /** Something went on: a delivery was answered, or a provider has a request. */
  onProgress?(what: 'answer' | Provider): void
  /** The `/v1` of a monitoring service to subscribe at. */
  service?: string
  /** How long Discord remembers nonces, and what everyone may do on the server. */
  discord?: Pick<FakeDiscordOptions, 'nonceMs' | 'everyone'>
}

/** `serve` as a process that dies again and again, three providers that stay, and the books of what was promised. */
export interface Scene {
  folder: string
  sender: Sender
  /** Where it is reached while it lives. */
  origin: string
  /** The process that lives now, or lived last. */
  life(): Running
  /** How many there were. */
  lives(): number
  /** Starts the next process and waits until it answers, or was killed before. */
  begin(orders?: Orders): Promise<void>
  /** How the process that lives now ended. One that has not within a minute fails the test, with its last words. */
  ended(): Promise<number | NodeJS.Signals>
  /** The process that lives now ends itself with -9 at a step. */
  order(orders: Orders): Promise<void>
  /** Does this, once, when a provider has such a request; the provider goes on when it has ended. */
  at(which: (moment: Moment) => boolean, act: () => Promise<void>): void
  /** Ends the process with -9 and waits until it is gone. */
  kill(): Promise<void>
  /** Writes another configuration for the process that lives: `extra` is put at its end, further channels. */
  configure(extra?: string): void
  /** Ends when nothing is pending any more, and `also` is so. */
  settled(also?: () => boolean): Promise<void>
  /** What of these events is promised and not so, in words; the process that lives is asked for what is stored. */
  faultsOf(fired: readonly Fired[]): Promise<string[]>
  /** Log lines of any of the processes that say that something went wrong. */
  errors(): string[]
  /** Ends the process in order, opens its store and holds everything against each other. */
  finish(fired: readonly Fired[]): Promise<Finished>
  close(): Promise<void>
}

export interface Finished extends ReturnType<typeof audit> {
  exit: number | NodeJS.Signals
  /** What opening the store complains of. */
  troubles: string[]
  /** How many messages in Slack are about no event. */
  notices: number
}

const channels = ['slack', 'discord', 'mail'] as const
const chatModels = ['chatgpt', 'claude', 'gemini', 'mistral']
const mailModels = ['claude']
const recipients = ['ombud@desk.example', 'politics@desk.example']

/** Which channels want an event of the model, by the scene's configuration; `qwen` is wanted by none. */
function wantedBy({ model }: Fired): Provider[] {
  return channels.filter((channel) => (channel === 'mail' ? mailModels : chatModels).includes(model))
}

/** Waits for the condition; a process that does not come to it fails the test. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`it did not come about: ${what}`)
    await wait(10)
  }
}

export async function openScene(options: SceneOptions): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-crash-'))
  const store = join(folder, 'data')
  const configFile = join(folder, 'bluepencil.yaml')
  const ordersFile = join(folder, 'orders.json')
  const preload = new URL('./preload.ts', import.meta.url)
  const compiled = new URL('../../../node_modules/.cache/compiled', import.meta.url)
  const mails: Mail[] = []
  const processes: Running[] = []
  /** At the end of the configuration. */
  let extra = ''
  let plan: { which: (moment: Moment) => boolean; act: () => Promise<void> } | undefined

  async function witness(moment: Moment): Promise<void> {
    const { request } = moment
    if (moment.provider === 'mail' && moment.moment === 'done') mails.push(mailOf(request))
    if (moment.moment === 'received' && (moment.provider === 'mail' || /postMessage|^POST/.test(request)))
      options.onProgress?.(moment.provider)
    if (plan?.which(moment) !== true) return
    const { act } = plan
    plan = undefined
    await act()
  }

  function mailOf(raw: string): Mail {
    const messageId = /^Message-ID:\s+(<.*>)/im.exec(raw)?.[1] ?? ''
    const to = /^To: (.*?)\r?$/im.exec(raw)?.[1] ?? ''
    // It may come from the wire when its sender is gone and the next one lives.
    const life = Number(/^From: .*bluepencil-(\d+)@/im.exec(raw)?.[1])
    return { id: idIn(raw), to, messageId, life }
  }

  const [slack, discord, smtp] = await Promise.all([
    startSlack({ witness: (moment, request) => witness({ provider: 'slack', moment, request }) }),
    startFakeDiscord({
      ...options.discord,
      witness: (moment, request) => witness({ provider: 'discord', moment, request }),
    }),
    startFakeSmtp({ witness: (moment, request) => witness({ provider: 'mail', moment, request }) }),
  ])
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const sender = createSender(
    () => `${origin}/webhook`,
    options.random,
    () => options.onProgress?.('answer'),
  )

  /** Mails say in their sender's address which process sent them: the first is 1. */
  function write(serial: number): void {
    const subscription =
      options.service === undefined
        ? ''
        : `monitor: { baseUrl: "${options.service}", apiKey: sandbox-pro }\npolling: { mode: off }`
    const publicUrl = options.service === undefined ? '' : `publicUrl: "${origin}", `
    writeFileSync(
      configFile,
      [
        '',
        `${subscription}`,
        `webhook: { ${publicUrl}secrets: ["${secret}"] }`,
        `server: { host: 127.0.0.1, port: ${port} }`,
        `store: file:${store}`,
        `slack: { token: "${slack.token}", apiUrl: "${slack.apiUrl}", intervalMs: 0 }`,
        `discord: { token: "${discord.token}", apiUrl: "${discord.url}" }`,
        `email: { smtp: "${smtp.url()}", ca: "${smtp.ca}", from: "Bluepencil <bluepencil-${serial}@desk.example>" }`,
        'channels:',
        `  - { name: slack, type: slack, to: "#ai-desk", models: [${chatModels.join()}] }`,
        `  - { name: discord, type: discord, to: "${discord.channelId}", models: [${chatModels.join()}] }`,
        `  - { name: mail, type: email, to: [${recipients.join()}], models: [${mailModels.join()}] }`,
        `${extra}`,
        '',
      ].join('\n'),
    )
  }

  function life(): Running {
    const last = processes.at(-1)
    if (last === undefined) throw new Error('no process was begun')
    return last
  }

  async function begin(orders?: Orders): Promise<void> {
    if (orders !== undefined) writeFileSync(ordersFile, JSON.stringify(orders))
    write(processes.length + 1)
    const env = {
      NODE_OPTIONS: `${eachAlone} --import=${preload.href}`,
      CRASH_ORDERS: ordersFile,
      NODE_COMPILE_CACHE: compiled.pathname,
    }
    const next = start(['serve', '--config', configFile], { env })
    processes.push(next)
    let isOver = false
    void next.ended.then(() => {
      isOver = true
    })
    await until('serve answers', async () => isOver || (await owed()) !== undefined)
    if (isOver && (await next.ended) !== 'SIGKILL') throw new Error(`serve ended: ${next.stderr()}`)
  }

  async function ended(): Promise<number | NodeJS.Signals> {
    const now = life()
    let code: number | NodeJS.Signals | undefined
    void now.ended.then((how) => {
      code = how
    })
    const words = () => new Error(`serve goes on: ${now.stderr().slice(-4_000)}`)
    await until('the process ends', () => code !== undefined).catch((cause) => {
      throw Object.assign(words(), { cause })
    })
    return now.ended
  }

  async function kill(): Promise<void> {
    life().kill('SIGKILL')
    await life().ended
  }

  /** How many notifications wait; undefined where nobody answers. */
  async function owed(): Promise<number | undefined> {
    try {
      const answer = await fetch(`${origin}/readyz`)
      const { channels: rows }: { channels: { waiting: number }[] } = JSON.parse(await answer.text())
      return rows.reduce((sum, { waiting }) => sum + waiting, 0)
    } catch {
      return undefined
    }
  }

  async function slackTexts(): Promise<string[]> {
    return (await slack.read('ai-desk')).map(({ blocks }) => JSON.stringify(blocks))
  }

  async function readAll(): Promise<Map<string, string[]>> {
    return new Map([
      ['slack', (await slackTexts()).map(idIn)],
      ['discord', discord.posted(discord.channelId).map((message) => idIn(JSON.stringify(message)))],
    ])
  }

  async function hold(fired: readonly Fired[], stored: readonly StoredEntry[]) {
    const ids = new Set(fired.map(({ id }) => id))
    const read = new Map([...(await readAll())].map(([name, all]) => [name, all.filter((id) => ids.has(id))]))
    return audit({
      fired: [...new Map(fired.map((one) => [one.id, { ...one, wantedBy: wantedBy(one) }])).values()],
      answers: sender.answers,
      stored: stored.filter(({ entry }) => ids.has(entry.id)),
      channels,
      recipients,
      read,
      mails: mails.filter(({ id }) => ids.has(id)),
      lives: processes.length,
    })
  }

  /** A line that was cut off by a kill says nothing. */
  function errors(): string[] {
    return processes
      .flatMap((one) => one.stderr().split('\n'))
      .filter((line) => /"level":"(error|fatal)"|^bluepencil: /.test(line))
  }

  return {
    folder,
    sender,
    origin,
    life,
    lives: () => processes.length,
    begin,
    ended,
    async order(orders) {
      writeFileSync(ordersFile, JSON.stringify(orders))
      process.kill(life().pid, 'SIGUSR2')
      await until('the orders are read', () => life().stderr().includes('the orders are read'))
    },
    at(which, act) {
      plan = { which, act }
    },
    kill,
    configure(more = '') {
      extra = more
      write(processes.length)
    },
    settled: (also = () => true) =>
      until('nothing is owed', async () => (await owed()) === 0 && also(), 180_000),
    async faultsOf(fired) {
      const control = await connectControl(store)
      if (control === undefined) return ['the process does not answer its commands']
      const newest = await control.events({ limit: 2_000 })
      const { faults } = await hold(fired, newest.toReversed())
      return faults
    },
    errors,
    async finish(fired) {
      life().kill('SIGTERM')
      const exit = await ended()
      const troubles: string[] = []
      const opened = await openSqliteStore(store, {
        now: Date.now,
        onTrouble: (trouble) => troubles.push(trouble),
      })
      const stored = await opened.list({ limit: Number.POSITIVE_INFINITY })
      await opened.close()
      const held = await hold(fired, stored.toReversed())
      const notices = (await slackTexts()).filter((text) => idIn(text) === '').length
      return { ...held, exit, troubles, notices }
    },
    async close() {
      for (const running of processes) running.kill('SIGKILL')
      await Promise.all(processes.map(({ ended }) => ended))
      await Promise.all([slack.close(), discord.close(), smtp.close()])
      if (existsSync(folder)) rmSync(folder, { recursive: true })
    },
  }
}

/** A mail may have soft line breaks in the middle of it (RFC 2045, 6.7). */
function idIn(text: string): string {
  return /evt_[\w-]+/.exec(text.replaceAll('=\r\n', ''))?.[0] ?? ''
}
