import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectControl } from '../../../src/control/socket.ts'
import { contentOf } from '../../../src/event/content.ts'
import type { Outcome } from '../../../src/event/outcome.ts'
import { checkedBytes } from '../../../src/store/lowdb/checked.ts'
import { openLowdbStore } from '../../../src/store/lowdb/open.ts'
import { alert } from '../../support/fakes/events.ts'
import { type Newsroom, openNewsroom } from '../../system/e2e/newsroom.ts'
import { type Running, run } from '../../system/e2e/process.ts'
import { selected } from '../../system/faults/selection.ts'
import { serve, shown } from '../../system/faults/serving.ts'

let newsroom: Newsroom
const all = 'direction: both'
beforeEach(async () => {
  newsroom = await openNewsroom({ slack: all, discord: all, email: all })
  await fill()
})
afterEach(() => newsroom.close())

const file = (name: string) => join(newsroom.folder, 'data', name)
const journal = () => file('segments/000003.journal')
const sealed = () => file('segments/000001.json')
const title = 'A fault was found in the store’s files'

/** Two sealed segments of five events that owe nothing, and a journal of three that are owed to everybody. */
let filledAt = ''
async function fill(): Promise<void> {
  const now = () => Date.now()
  const store = await openLowdbStore(file(''), { now, segmentSize: 5, onTrouble: expect.unreachable })
  const at = new Date().toISOString()
  filledAt = at
  const sent: Outcome = { state: 'sent', at, attempts: 1, receipt: { text: 'r' } }
  const owed: Outcome = { state: 'waiting', dueAt: at, why: 'not tried yet', attempts: 0 }
  const channels = ['ai-desk', 'politics', 'policy-mail']
  for (let number = 0; number < 13; number++) {
    const id = `evt_${number}`
    const entry = alert({ id, receivedAt: at, detectedAt: at, content: contentWhenFired(id, at) })
    const outcomes = Object.fromEntries(channels.map((name) => [name, number < 10 ? sent : owed]))
    await store.accept([{ entry, outcomes }])
  }
  await store.close()
}

/** Of what the sandbox delivers when this is fired, so that it can come again. */
function contentWhenFired(id: string, at: string): string {
  const { type, model, category, delta } = shown
  const data = { category, delta: `+${delta}pp`, detected_at: at }
  const payload = { id, type, model, data, methodology: 'https://monitor.example/methodology' }
  return contentOf(Buffer.from(''), payload)
}

/** Waits until every channel has these, once, in this order. */
async function everybodyReads(ids: string[]): Promise<void> {
  const wanted = { slack: ids, discord: ids, email: ids }
  await vi.waitFor(async () => expect(await newsroom.read()).toEqual(wanted), {
    timeout: 15_000,
    interval: 50,
  })
}

async function noticesOf(words: string): Promise<string[]> {
  const texts = (await newsroom.slack.read('ai-desk')).map(({ text }) => String(text))
  return texts.filter((text) => text.includes(words))
}

function edit(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
}

/** Another first line, with a checksum that holds. */
function behead(path: string, head: object): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/^.*\n/, checkedBytes([JSON.stringify(head).slice(1)]).toString()))
}

const quiet: [string, () => void, string[]][] = [
  [
    'torn in its last line',
    () => appendFileSync(journal(), '{"op":"accept","rest":0,"at":17'),
    ['evt_10', 'evt_11', 'evt_12'],
  ],
  [
    'cut off within a line',
    () => truncateSync(journal(), readFileSync(journal()).indexOf('evt_12')),
    ['evt_10', 'evt_11'],
  ],
]
test.each(selected(1, quiet))(
  'a journal that is %s: what is whole goes out once, as after a crash, and the service goes on',
  async (_, damage, left) => {
    damage()
    await serve(newsroom, {})
    await newsroom.fire({ ...shown, id: 'evt_new' })
    await everybodyReads([...left, 'evt_new'])
    expect(await noticesOf(title)).toEqual([])
  },
)

/** Starts the service on what is left of the store: new events go out, and the operators are told once. */
async function serveAndTell(why: string): Promise<Running> {
  const service = await serve(newsroom, {})
  await newsroom.fire({ ...shown, id: 'evt_new' })
  await vi.waitUntil(async () => (await noticesOf(title)).length === 1, { timeout: 10_000 })
  expect((await noticesOf(title))[0]).toContain(why)
  return service
}

/**
 * Kills it and starts it again: what was left has gone out once. No kill comes in the middle of a mail: that one would
 * rightly wait, and the next would go first.
 */
async function serveAgain(before: Running, left: readonly string[]): Promise<void> {
  const control = await connectControl(file(''))
  await vi.waitFor(
    async () =>
      expect(await control?.event('evt_new')).toMatchObject({
        outcomes: { 'policy-mail': { state: 'sent' } },
      }),
    10_000,
  )
  before.kill()
  await before.ended
  await serve(newsroom, {})
  await newsroom.fire({ ...shown, id: 'evt_newer' })
  await vi.waitFor(
    async () => expect((await newsroom.read()).email).toEqual([...left, 'evt_new', 'evt_newer']),
    15_000,
  )
}

const loud: [string, () => void, string[], string][] = [
  [
    'damaged in the middle',
    () => edit(journal(), '"id":"evt_11"', '"id":\0'),
    ['evt_10', 'evt_12'],
    '1 line of segments/000003.journal could not be read',
  ],
  [
    'wrong in one bit, by which a 12 is a 92',
    () => edit(journal(), '"delta":12', '"delta":92'),
    ['evt_10', 'evt_11', 'evt_12'],
    '1 line of segments/000003.journal had a wrong bit and was mended',
  ],
  [
    'of another version',
    () => behead(journal(), { format: 'bluepencil-journal', version: 9, segment: 3 }),
    [],
    'it is of version 9, and this Bluepencil reads versions 1 and 2',
  ],
]
test.each(loud)(
  'a journal that is %s: told once, kept aside, and the rest goes out once',
  async (_, damage, left, why) => {
    damage()
    const damaged = readFileSync(journal())
    const first = await serveAndTell(why)
    expect(readFileSync(`${journal()}.damaged-1`)).toEqual(damaged)
    await serveAgain(first, left)
    expect(await noticesOf(title)).toHaveLength(1)
  },
)

const gone: [string, () => void, string[], string][] = [
  ['a journal that is emptied', () => truncateSync(journal(), 0), [], '1 event (event 11) is missing'],
  ['a journal that is deleted', () => rmSync(journal()), [], '1 event (event 11) is missing'],
  [
    'a sealed segment that is deleted',
    () => rmSync(sealed()),
    ['evt_10', 'evt_11', 'evt_12'],
    'segments/000001.json is missing',
  ],
  [
    'a sealed segment that is deleted with its ids',
    () => {
      for (const path of [sealed(), sealed().replace('.json', '.ids')]) rmSync(path)
    },
    ['evt_10', 'evt_11', 'evt_12'],
    '5 events (events 1 to 5) are missing: the files of segments/000001 are gone',
  ],
]
test.each(selected(1, gone))('%s: told once, and the rest goes out once', async (_, damage, left, why) => {
  damage()
  const first = await serveAndTell(why)
  await serveAgain(first, left)
  expect(await noticesOf(title)).toHaveLength(1)
})

const damages: [string, () => void, string][] = [
  ['truncated', () => truncateSync(sealed(), 70), 'it is not whole JSON'],
  ['emptied', () => truncateSync(sealed(), 0), 'it is not whole JSON'],
  ['garbage', () => writeFileSync(sealed(), Buffer.from([0xff, 0, 0xfe])), 'it is not UTF-8 text'],
  [
    'of another version',
    () => behead(sealed(), { format: 'bluepencil-segment', version: 27, segment: 1 }),
    'it is of version 27, and this Bluepencil reads versions 1 and 2',
  ],
]
test.each(selected(2, damages))(
  'a sealed segment that is %s: told once, the rest is served, and none of its events is sent again',
  async (_, damage, why) => {
    damage()
    await serve(newsroom, {})
    await newsroom.fire({ ...shown, id: 'evt_3', detected_at: filledAt })
    await vi.waitFor(async () => expect(await newsroom.attempts()).toMatchObject([{ status: 200 }]), 10_000)
    await newsroom.fire({ ...shown, id: 'evt_new' })
    await everybodyReads(['evt_10', 'evt_11', 'evt_12', 'evt_new'])
    await vi.waitUntil(async () => (await noticesOf(title)).length === 1, { timeout: 10_000 })
    expect((await noticesOf(title))[0]).toContain(`segments/000001.json could not be read (${why})`)
    expect(await readdir(file('segments'))).toContain('000001.json.damaged-1')
    const control = await connectControl(file(''))
    expect(await control?.event('evt_7')).toMatchObject({ entry: { id: 'evt_7' } })
    expect(await control?.event('evt_3')).toBeUndefined()
  },
)

const states: [string, Buffer][] = [
  ['garbage', Buffer.from([0xff, 0, 0xfe])],
  ['emptied', Buffer.alloc(0)],
]
test.each(selected(1, states))(
  'a state.json that is %s: told once, one subscription is made anew, and events come in',
  async (_, bytes) => {
    const first = await serve(newsroom, {})
    await everybodyReads(['evt_10', 'evt_11', 'evt_12'])
    first.kill()
    await first.ended
    writeFileSync(file('state.json'), bytes)
    await serve(newsroom, {})
    await newsroom.fire({ ...shown, id: 'evt_new' })
    await everybodyReads(['evt_10', 'evt_11', 'evt_12', 'evt_new'])
    await vi.waitUntil(async () => (await noticesOf('state.json could not be read')).length === 1, {
      timeout: 10_000,
    })
    expect(readFileSync(file('state.json.damaged-1'))).toEqual(bytes)
    const listed = await run(['subscriptions', 'list', '--config', newsroom.configFile, '--json'])
    expect(listed.stdout.match(/"wh_\w+"/g)).toHaveLength(1)
  },
)
