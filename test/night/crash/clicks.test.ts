import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ChatDesk, type Moment, openChatDesk } from '../../system/crash/chat-desk.ts'
import type { Step } from '../../system/crash/preload.ts'
import { fillIn, type Pressed, press } from '../../system/crash/pressing.ts'
import { until } from '../../system/crash/scene.ts'

const providers = ['slack', 'discord'] as const
const done = /Acknowledged\. The alert’s messages now show it|You have already acknowledged it/
const never = () => new Promise<void>(() => undefined)

// Each test has two processes of its own.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let desk: ChatDesk
let row = 0

afterAll(() => desk?.close())

/** An alert that stands in Slack and in Discord. */
async function alert(): Promise<string> {
  row += 1
  const id = `evt_click_${String(row).padStart(2, '0')}`
  await desk.deliver(id, { model: row % 2 === 0 ? 'claude' : 'gemini', data: dataOf(row) })
  await desk.both(id, 'sent')
  return id
}

/** Of a category each: no alert is a further step of another. */
function dataOf(category: number) {
  return { category: `category-${category}`, delta: '+12pp', detected_at: new Date().toISOString() }
}

/** The process is gone and the provider repeats the click to the next one: the person gets an answer. */
async function again(pressed: Pressed): Promise<void> {
  expect(await desk.ended()).toBe('SIGKILL')
  await desk.begin()
  await pressed.tell()
  await until('the person is answered', () => pressed.answers().some((text) => done.test(text)))
}

/** How often it was done, and how often each place shows it, when both do; and what went wrong. */
async function whatBecameOf(id: string) {
  const shown = (all: string[]) =>
    all.filter((text) => text.includes(id)).map((text) => text.split('Acknowledged by ').length - 1)
  await until('both messages show it', async () => {
    const { slack, discord } = await desk.standing()
    return [slack, discord].every((all) => shown(all).includes(1))
  })
  const acts = (await desk.acts()).filter(({ about }) => about === id)
  const { slack, discord } = await desk.standing()
  const errors = desk.errors()
  return { acts: acts.map(({ does }) => does), slack: shown(slack), discord: shown(discord), errors }
}

/** One act, and one message in each place that shows it once: nothing was sent anew. */
const once = { acts: ['acknowledge'], slack: [1], discord: [1], errors: [] }

const steps: [name: string, step: Step][] = [
  ['it came, and is not on disk', 'before write event'],
  ['half of it is on disk', 'half write event'],
  ['it is on disk, and not answered', 'after write event'],
]

describe.each(['kept', 'signed'] as const)(
  'kill -9 while somebody clicks a button, over a way that is %s',
  (heard) => {
    beforeAll(async () => {
      await desk?.close()
      desk = await openChatDesk({ heard })
      await desk.begin()
    })

    describe.each(providers)('in %s', (provider) => {
      test.each(steps)('%s: the provider repeats it, and it is done once and answered', async (_, step) => {
        const id = await alert()
        const pressed = await press(desk, provider, id, 'Acknowledge')
        await desk.order({ step, hit: 1 })
        await pressed.tell()
        await again(pressed)
        expect(await whatBecameOf(id)).toEqual(once)
      })

      test('the silence of a form is on disk, and not in force yet: after a repeat it is in force once', async () => {
        const id = await alert()
        const before = (await desk.silences()).length
        const form = await fillIn(desk, provider, id, `Why of ${id}`)
        await desk.order({ step: 'after write event', hit: 1 })
        await form.tell()
        expect(await desk.ended()).toBe('SIGKILL')
        await desk.begin()
        await form.tell()
        await until('the person is answered', () =>
          form.answers().some((text) => text.includes('are held until')),
        )
        expect((await desk.acts()).filter(({ about }) => about === id)).toMatchObject([{ does: 'silence' }])
        expect((await desk.silences()).slice(before)).toMatchObject([{ why: `Why of ${id}` }])
        expect(desk.errors()).toEqual([])
      })
    })
  },
)

describe('kill -9 while what somebody did is written to the messages', () => {
  const isEdit = (provider: string, moment: string) => (seen: Moment) =>
    seen.provider === provider && seen.moment === moment && /^chat\.update$|^PATCH/.test(seen.request)

  test.each(providers)('%s has the edit, and loses it: the next process makes it', async (provider) => {
    const id = await alert()
    const pressed = await press(desk, provider, id, 'Acknowledge')
    desk.at(isEdit(provider, 'received'), () => desk.kill().then(never))
    await pressed.tell()
    await again(pressed)
    expect(await whatBecameOf(id)).toEqual(once)
  })

  test.each(providers)(
    '%s has made the edit, but its answer is lost: the same edit is made once more',
    async (provider) => {
      const id = await alert()
      const pressed = await press(desk, provider, id, 'Acknowledge')
      desk.at(isEdit(provider, 'done'), desk.kill)
      await pressed.tell()
      await again(pressed)
      expect(await whatBecameOf(id)).toEqual(once)
    },
  )
})
