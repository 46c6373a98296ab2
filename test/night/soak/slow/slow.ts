import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { seededRandom } from '../../../../src/service/sandbox/random.ts'
import { startFakeDiscord } from '../../../support/fakes/discord.ts'
import { secret, signed } from '../../../support/fakes/signed.ts'
import { startSlack } from '../../../support/fakes/slack-proxy.ts'
import { startFakeSmtp } from '../../../support/fakes/smtp.ts'
import type { Witness } from '../../../support/fakes/witness.ts'
import { freePort } from '../../../support/free-port.ts'
import { eachAlone, start } from '../../../system/e2e/process.ts'

export interface SlowOptions {
  seed: number
  /** Every answer of every provider comes after so many milliseconds, drawn at random between the two. */
  leastMs: number
  mostMs: number
  /** How many events are delivered, and how many milliseconds lie between one and the next. */
  events: number
  everyMs: number
  onProgress?: (delivered: number) => void
}

export interface Row {
  channel: string
  /** Different alerts that its readers have. */
  sent: number
  copies: number
  orderKept: boolean
}

/** Runs `serve` as a process of its own between a sender and providers that are slow to answer, until all is there. */
export async function runSlow(options: SlowOptions): Promise<Row[]> {
  const random = seededRandom(options.seed, 'slow')
  const witness: Witness = async (moment) => {
    if (moment === 'done') await wait(options.leastMs + random() * (options.mostMs - options.leastMs))
  }
  const [slackBot, slackHook, discordBot, discordHook, smtp] = await Promise.all([
    startSlack({ witness }),
    startSlack({ witness }),
    startFakeDiscord({ witness }),
    startFakeDiscord({ witness }),
    startFakeSmtp({ witness }),
  ])
  const folder = await mkdtemp(join(tmpdir(), 'bluepencil-slow-'))
  const configFile = join(folder, 'bluepencil.yaml')
  const port = await freePort()
  await writeFile(
    configFile,
    [
      '',
      `webhook: { secrets: ["${secret}"] }`,
      `server: { host: 127.0.0.1, port: ${port} }`,
      `store: file:${folder}/data`,
      `slack: { token: "${slackBot.token}", apiUrl: "${slackBot.apiUrl}" }`,
      `discord: { token: "${discordBot.token}", apiUrl: "${discordBot.url}" }`,
      `email: { smtp: "${smtp.url()}", ca: "${smtp.ca}", from: "Bluepencil <bluepencil@desk.example>" }`,
      'channels:',
      '  - { name: slack-bot, type: slack, to: "#ai-desk" }',
      `  - { name: slack-webhook, type: slack, webhookUrl: "${slackHook.webhookUrl}" }`,
      `  - { name: discord-bot, type: discord, to: "${discordBot.channelId}" }`,
      `  - { name: discord-webhook, type: discord, webhookUrl: "${discordHook.webhookUrl}" }`,
      '  - { name: mail, type: email, to: desk@desk.example }',
      '',
    ].join('\n'),
  )
  const places: [string, () => Promise<unknown[]>][] = [
    ['slack-bot', () => slackBot.read('ai-desk')],
    ['slack-webhook', () => slackHook.read('ai-desk')],
    ['discord-bot', async () => discordBot.posted(discordBot.channelId)],
    ['discord-webhook', async () => discordHook.posted(discordHook.channelId)],
    ['mail', async () => smtp.messages().map(({ raw }) => raw)],
  ]
  const fired: string[] = []
  const rows = () =>
    Promise.all(places.map(async ([channel, read]) => judge(channel, fired, idsIn(await read()))))

  const serving = start(['serve', '--config', configFile], { env: { NODE_OPTIONS: eachAlone } })
  try {
    const origin = `http://127.0.0.1:${port}`
    await until(60_000, () => isUp(origin))
    for (let number = 1; number <= options.events; number++) {
      if (number > 1) await wait(options.everyMs)
      const id = `evt_${number}`
      fired.push(id)
      await deliver(origin, id, number)
      options.onProgress?.(number)
    }
    // Those that are behind are sent one after the other.
    await until(30_000 + 2 * options.mostMs * options.events, async () =>
      (await rows()).every(({ sent }) => sent === fired.length),
    )
    // What would be sent again comes soon after an answer that was not waited for.
    await wait(2 * options.mostMs)
    return await rows()
  } finally {
    serving.kill()
    await serving.ended
    await Promise.all([slackBot, slackHook, discordBot, discordHook, smtp].map((fake) => fake.close()))
    await rm(folder, { recursive: true, force: true })
  }
}

function judge(channel: string, fired: readonly string[], read: readonly string[]): Row {
  const firsts = read.filter((id, index) => read.indexOf(id) === index)
  const expected = fired.filter((id) => firsts.includes(id))
  return {
    channel,
    sent: firsts.length,
    copies: read.length - firsts.length,
    orderKept: firsts.join() === expected.join(),
  }
}

function idsIn(texts: readonly unknown[]): string[] {
  return texts.flatMap(
    (text) => /evt_\d+/.exec(typeof text === 'string' ? text : JSON.stringify(text))?.[0] ?? [],
  )
}

async function deliver(origin: string, id: string, number: number): Promise<void> {
  const body = JSON.stringify({
    id,
    type: 'censorship_spike',
    model: `model-${number}`,
    data: { category: 'political', delta: '+12pp', detected_at: new Date().toISOString() },
    methodology: 'https://monitor.example/methodology',
  })
  const answer = await fetch(`${origin}/webhook`, {
    method: 'POST',
    body,
    headers: signed(body),
  })
  await answer.text()
  if (answer.status !== 202) throw new Error(`${id} was answered ${answer.status}`)
}

async function isUp(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/healthz`)).ok
  } catch {
    return false
  }
}

/** Rejects nothing: what is not there when the time is over shows in the rows. */
async function until(milliseconds: number, condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + milliseconds
  while (performance.now() < end && !(await condition())) await wait(100)
}
