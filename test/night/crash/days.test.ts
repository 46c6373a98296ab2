import { afterEach, expect, test, vi } from 'vitest'
import { dayMs, minuteMs } from '../../../src/platform/durations.ts'
import { type ChatDesk, openChatDesk } from '../../system/crash/chat-desk.ts'
import { resetClock, setClock } from '../../system/crash/moved-clock.ts'
import { fillIn } from '../../system/crash/pressing.ts'
import { until } from '../../system/crash/scene.ts'

// Each test is several processes, one after the other.
vi.setConfig({ testTimeout: 240_000 })

let desk: ChatDesk

afterEach(async () => {
  await desk?.close()
  resetClock()
})

/** A life that begins at that time: the process before it was killed. */
async function live(time: string): Promise<void> {
  setClock(Date.parse(time))
  await desk.begin()
}

/** A change of so many points, in a category of its own: none is a further step of another. */
function change(category: string, delta: string) {
  return { data: { category, delta, detected_at: new Date().toISOString() } }
}

const messages = async (place: 'slack' | 'discord') => (await desk.standing())[place]

test('a night of quiet hours in which the clocks go back, and a day of a digest: one message each, with any kill', async () => {
  setClock(Date.parse('2026-10-24T20:30:00Z'))
  desk = await openChatDesk({
    heard: 'signed',
    slack: 'quiet: { from: "22:00", to: "07:00" }',
    discord: 'digest: { every: day, at: "07:00" }',
  })
  await live('2026-10-24T20:30:00Z')
  await desk.deliver('evt_first', change('a', '+12pp'))
  await desk.both('evt_first', 'held')
  await desk.kill()

  // 02:30 in Berlin, for the second time in this night.
  await live('2026-10-25T01:30:00Z')
  await desk.deliver('evt_second', change('b', '+30pp'))
  await desk.both('evt_second', 'held')
  await desk.kill()

  // 06:59 there; without the change of clocks it would be 07:59.
  await live('2026-10-25T05:59:00Z')
  await desk.deliver('evt_third', change('c', '-4pp'))
  expect(await desk.standing()).toEqual({ slack: [], discord: [] })
  await desk.kill()

  // It is sent, and the process ends before that is stored.
  desk.at(({ moment, request }) => moment === 'done' && request === 'chat.postMessage', desk.kill)
  await live('2026-10-25T06:00:30Z')
  expect(await desk.ended()).toBe('SIGKILL')
  await live('2026-10-25T06:02:00Z')
  for (const id of ['evt_first', 'evt_second', 'evt_third']) await desk.both(id, 'merged')
  await until('both stand', async () => {
    const { slack, discord } = await desk.standing()
    return slack.length > 0 && discord.length > 0
  })
  for (const place of ['slack', 'discord'] as const) {
    const [digest, ...others] = await messages(place)
    expect(digest).toMatch(/3 alerts from 24 Oct 2026, 22:30 .* to 25 Oct 2026, 07:00 /)
    expect(others).toEqual([])
  }
  expect(desk.errors()).toEqual([])
})

test('a correction after two days, killed in its middle: sent once, and the first message says so', async () => {
  setClock(Date.parse('2026-11-20T09:00:00Z'))
  desk = await openChatDesk({ heard: 'signed' })
  await live('2026-11-20T09:00:00Z')
  const detected = Date.now()
  await desk.deliver('evt_1', {}, detected)
  await desk.both('evt_1', 'sent')
  await desk.kill()

  const correction = {
    data: { category: 'political', delta: '+9pp', detected_at: new Date(detected).toISOString() },
  }
  desk.at(
    ({ moment, request }) => moment === 'received' && request === 'chat.update',
    () => desk.kill().then(() => new Promise<void>(() => undefined)),
  )
  await live(new Date(detected + 2 * dayMs).toISOString())
  await desk.deliver('evt_1', correction)
  expect(await desk.ended()).toBe('SIGKILL')
  await live(new Date(detected + 2 * dayMs + minuteMs).toISOString())
  await desk.both('evt_1~2', 'sent')
  await until('the first is edited in both places', async () => {
    const { slack, discord } = await desk.standing()
    return [slack, discord].every(([first]) => first?.includes('now reported as +9 percentage points'))
  })
  for (const place of ['slack', 'discord'] as const) {
    const [first, second, ...others] = await messages(place)
    expect(first).toContain('CORRECTED: Claude’s refusal rate on political prompts rose 12 points')
    expect(second).toContain('Correction: Claude’s refusal rate on political prompts rose 9 points')
    expect(others).toEqual([])
  }
  // That two days went by without anybody there to see it is said, too.
  expect(desk.errors().filter((line) => !line.includes('the clock of this machine jumped'))).toEqual([])
})

test.each(['slack', 'discord'] as const)(
  'a silence by the button in %s holds what comes, ends by itself, and reports it once, over a kill in each part',
  async (way) => {
    setClock(Date.parse('2026-11-20T09:00:00Z'))
    desk = await openChatDesk({ heard: 'signed' })
    await live('2026-11-20T09:00:00Z')
    await desk.deliver('evt_1')
    await desk.both('evt_1', 'sent')
    const form = await fillIn(desk, way, 'evt_1', 'Election night')
    await form.tell()
    await until('it is in force', () => form.answers().some((text) => text.includes('are held until')))
    await desk.kill()

    await live('2026-11-20T09:20:00Z')
    await desk.deliver('evt_2', {
      data: { category: 'political', delta: '+30pp', detected_at: new Date().toISOString() },
    })
    await desk.deliver('evt_3', {
      data: { category: 'political', delta: '-4pp', detected_at: new Date().toISOString() },
    })
    await desk.both('evt_3', 'held')
    await desk.kill()

    const post = way === 'slack' ? /^chat\.postMessage$/ : /^POST .*\/messages$/
    desk.at(({ moment, request }) => moment === 'done' && post.test(request), desk.kill)
    await live('2026-11-20T10:01:00Z')
    expect(await desk.ended()).toBe('SIGKILL')
    await live('2026-11-20T10:03:00Z')
    await desk.both('evt_2', 'merged')
    await desk.both('evt_3', 'merged')
    expect(await desk.silences()).toEqual([])
    for (const place of ['slack', 'discord'] as const) {
      await until('the report stands', async () => (await messages(place)).length > 1)
      const [first, report, ...others] = await messages(place)
      expect(first).toContain('silenced Claude on political prompts until ')
      expect(report).toMatch(
        /2 alerts were held from [^"]*, because (?:ana|Cem) silenced Claude on political prompts \(Election night\)/,
      )
      expect(others).toEqual([])
    }
    expect(desk.errors()).toEqual([])
  },
)
