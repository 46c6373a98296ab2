import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { signed } from '../../support/fakes/signed.ts'
import { storedState } from '../../support/stored.ts'
import { type Newsroom, openNewsroom } from '../e2e/newsroom.ts'
import { type Running, run } from '../e2e/process.ts'

/** What an event may name, and nobody is to ask. */
const trap = createServer()
let visitors = 0
trap.on('connection', (socket) => {
  visitors += 1
  socket.destroy()
})

let newsroom: Newsroom
let serving: Running
let trapUrl: string

beforeAll(async () => {
  trap.listen(0, '127.0.0.1')
  await once(trap, 'listening')
  const address = trap.address()
  trapUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  newsroom = await openNewsroom({ slack: '', discord: '', email: '' })
  serving = await newsroom.serve()
}, 60_000)
afterAll(async () => {
  trap.close()
  await newsroom.close()
})

const Subscription = z.object({ current: z.object({ secret: z.string() }) })

/** The signing secret that the service gave. */
function givenSecret(): string {
  const line = storedState(join(newsroom.folder, 'data'))
    .split('\n')
    .find((one) => one.startsWith('subscription '))
  return Subscription.parse(JSON.parse(line?.slice('subscription '.length) ?? '')).current.secret
}

async function post(payload: object, headers: Record<string, string> = {}): Promise<number> {
  const body = JSON.stringify(payload)
  const answer = await fetch(`${newsroom.origin}/webhook`, {
    method: 'POST',
    body,
    headers: { ...signed(body, givenSecret()), ...headers },
  })
  await answer.text()
  return answer.status
}

describe('an event that names addresses', () => {
  test('reaches every channel, and no address of its choice is asked', async () => {
    const payload = {
      id: 'evt_trap',
      type: trapUrl,
      model: `${trapUrl}/model`,
      data: {
        category: `//${trapUrl.slice(7)}/category`,
        delta: '+12pp',
        detected_at: new Date().toISOString(),
      },
      methodology: `${trapUrl}/methodology.png?redirect=${trapUrl}`,
      url: trapUrl,
      callback: trapUrl,
    }
    const headers = {
      origin: trapUrl,
      referer: trapUrl,
      'x-forwarded-host': trapUrl.slice(7),
      'x-original-url': trapUrl,
      forwarded: `host=${trapUrl.slice(7)}`,
    }
    expect(await post(payload, headers)).toBe(202)
    await vi.waitFor(
      async () => {
        expect(await newsroom.read()).toEqual({
          slack: ['evt_trap'],
          discord: ['evt_trap'],
          email: ['evt_trap'],
        })
      },
      { timeout: 20_000, interval: 50 },
    )
    expect(serving.log().filter(({ level }) => level === 'error')).toEqual([])
    expect(visitors).toBe(0)
  })

  test('is opened only if a reader clicks its link, and nothing of it is loaded with the message', async () => {
    const { slack, discord, smtp } = newsroom
    const sent = {
      slack: JSON.stringify(slack.requests.filter(({ method }) => method === 'chat.postMessage')),
      discord: JSON.stringify(discord.posted(discord.channelId)),
      mail: smtp
        .messages()
        .map(({ raw }) => raw)
        .join('\n')
        .replaceAll('=\r\n', ''),
    }
    expect(sent.slack).toMatch(/unfurl_links\W+false/)
    expect(sent.slack).toMatch(/unfurl_media\W+false/)
    expect(sent.slack).not.toMatch(/image_url|"image"/)
    expect(sent.discord).not.toMatch(/"(?:image|thumbnail|icon_url|video)"/)
    expect(sent.mail).not.toMatch(/<(?:img|link|script|iframe)|\ssrc=3D|url\(/i)
  })
})

test('the secret that the service gave stands in the database, which only its user can read, and nowhere else', async () => {
  const secret = givenSecret()
  const texts: Record<string, string> = { stdout: serving.stdout(), stderr: serving.stderr() }
  for (const path of ['/metrics', '/readyz', '/healthz']) {
    texts[path] = await (await fetch(newsroom.origin + path)).text()
  }
  for (const args of [
    ['explain', 'evt_trap', '--json'],
    ['events', '--json'],
    ['check', '--json'],
    ['subscriptions', 'list', '--json'],
  ]) {
    const { stdout, stderr } = await run([...args, '--config', newsroom.configFile])
    texts[args.join(' ')] = stdout + stderr
  }
  const data = join(newsroom.folder, 'data')
  for (const entry of readdirSync(data, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) texts[entry.name] = readFileSync(join(entry.parentPath, entry.name), 'utf8')
  }
  const places = Object.entries(texts).flatMap(([place, text]) => (text.includes(secret) ? [place] : []))
  expect(places.filter((place) => !/^bluepencil\.sqlite(-wal)?$/.test(place))).toEqual([])
  expect(places).not.toEqual([])
  expect(texts['check --json']).toContain('"level":"ok"')
})
