import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { type AppEnvironment, realEnvironment } from '../../../src/app/environment.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { minuteMs } from '../../../src/platform/durations.ts'
import { StoreUnavailable } from '../../../src/store/store.ts'
import { configOf } from '../../support/app.ts'
import { type Desk, openDesk } from './desk.ts'
import { page, tryOut, untried } from './filters-form.ts'
import { textOf } from './markup.ts'

const desk = { name: 'desk', type: 'console' }
const notInForce = 'The changes made in the console are not in use'

/** A store whose changed filters cannot be read while it fails, and a clock whose minutes the test lets pass. */
function failing() {
  const state = { fails: false }
  const minutes: (() => void)[] = []
  const environment: Partial<AppEnvironment> = {
    clock: {
      ...systemClock,
      sleep: (milliseconds, signal) =>
        milliseconds === minuteMs
          ? Promise.race([new Promise<void>((passes) => minutes.push(passes)), aborted(signal)])
          : systemClock.sleep(milliseconds, signal),
    },
    async openStore(...given) {
      const store = await realEnvironment.openStore(...given)
      let isStored = false
      return {
        ...store,
        async changeState(key, change) {
          await store.changeState(key, change)
          isStored ||= key === 'settings'
        },
        async readState(key) {
          if (state.fails && isStored && key === 'settings') throw new StoreUnavailable('it fails')
          return store.readState(key)
        },
      }
    },
  }
  const minute = () => {
    for (const pass of minutes.splice(0)) pass()
  }
  return { state, environment, minute }
}

async function aborted(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }))
}

async function troubles({ app }: Desk): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${app.port}/readyz`)
  return z
    .object({ troubles: z.array(z.object({ title: z.string() })) })
    .parse(await answer.json())
    .troubles.map(({ title }) => title)
}

async function isSent(here: Desk, id: string, delta: string): Promise<boolean> {
  const data = { category: 'political', delta, detected_at: new Date().toISOString() }
  expect(await here.deliver(id, { data })).toBe(202)
  const { html } = await here.visitor().see(`/alerts/${id}`)
  return !textOf(html).includes('desk not sent')
}

test('what was stored and could not be put in force is so within a minute, and the trouble is over', async () => {
  const { state, environment, minute } = failing()
  const here = await openDesk({ channels: [desk] }, { tryFilters: untried, ...environment })
  const visitor = here.visitor()
  const form = (await tryOut(visitor, { minDelta: '20' })).form
  state.fails = true
  const soon = '/console/channels?done=filters-soon'
  expect((await visitor.post(page, form)).headers.location).toBe(soon)
  await vi.waitUntil(async () => (await troubles(here)).includes(notInForce))
  expect((await visitor.post(page, form)).headers.location).toBe(soon)
  const shown = async () => textOf((await visitor.see(page)).html)
  expect(await shown()).toMatch(/Written down Alerts .* at least 20 .* not in force yet/)
  state.fails = false
  minute()
  await vi.waitUntil(async () => (await troubles(here)).length === 0)
  expect((await visitor.post(page, form)).headers.location).toBe('/console/channels?done=filters-changed')
  expect(await shown()).toMatch(/In force Alerts .* at least 20 /)
  expect(await shown()).not.toContain('not in force yet')
  expect(await isSent(here, 'evt_1', '+12pp')).toBe(false)
})

test('the trouble is over, too, when the file is given back', async () => {
  const { state, environment } = failing()
  const here = await openDesk({ channels: [desk] }, { tryFilters: untried, ...environment })
  const visitor = here.visitor()
  state.fails = true
  await visitor.post(page, (await tryOut(visitor, { minDelta: '20' })).form)
  await vi.waitUntil(async () => (await troubles(here)).includes(notInForce))
  state.fails = false
  await visitor.submit(page, `${page}/restore`)
  await vi.waitUntil(async () => (await troubles(here)).length === 0)
  expect(await isSent(here, 'evt_1', '+12pp')).toBe(true)
})

test('a form from before the file was given back puts nothing in force', async () => {
  const here = await openDesk({ channels: [desk] }, { tryFilters: untried })
  const visitor = here.visitor()
  const form = (await tryOut(visitor, { minDelta: '20' })).form
  await visitor.post(page, form)
  await visitor.submit(page, `${page}/restore`)
  const late = await visitor.post(page, form)
  expect(late.status).toBe(422)
  expect(await isSent(here, 'evt_1', '+12pp')).toBe(true)
})

test('of two editors who change a channel at once, the second gets a conflict', async () => {
  const here = await openDesk({ channels: [desk] }, { tryFilters: untried })
  const [ana, ben] = [here.visitor(), here.visitor()]
  const forms = [
    (await tryOut(ana, { minDelta: '20' })).form,
    (await tryOut(ben, { minDelta: '30' })).form,
  ] as const
  const answers = await Promise.all([ana.post(page, forms[0]), ben.post(page, forms[1])])
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['303', '422'])
})

test('a channel that is for incidents only in the file gets no alert, in spite of earlier changes', async () => {
  const here = await openDesk({ channels: [desk] }, { tryFilters: untried })
  const visitor = here.visitor()
  await visitor.post(page, (await tryOut(visitor, { minDelta: '5' })).form)
  const store = { store: `file:${here.folder}/data`, console: { listen: { port: 0 } } }
  await here.app.reload(configOf([{ ...desk, events: [] }], { ...store, operators: ['ops', 'desk'] }))
  expect(await isSent(here, 'evt_1', '+12pp')).toBe(false)
  expect(textOf((await visitor.see('/channels')).html)).toMatch(
    /is for trouble alone: what was changed by this machine, .* is not in force/,
  )
})

test('a file that was changed while the service was stopped is reported as not in force', async () => {
  const first = await openDesk({ channels: [desk] }, { tryFilters: untried, closing: () => {} })
  const visitor = first.visitor()
  await visitor.post(page, (await tryOut(visitor, { minDelta: '20' })).form)
  await first.app.stop()
  const here = await openDesk({ channels: [{ ...desk, minDelta: 3 }] }, { folder: first.folder })
  await vi.waitUntil(() => here.alerts().length > 0)
  expect(here.alerts()).toEqual(['The file’s filters for desk are not used'])
})

test('however many categories the file names, a form that changes something else keeps them', async () => {
  const categories = Array.from({ length: 100 }, (_, number) => `category-number-${number}`)
  const here = await openDesk({ channels: [{ ...desk, categories }] }, { tryFilters: untried })
  const visitor = here.visitor()
  const [, otherCategories = ''] =
    /name="otherCategories" value="([^"]*)"/.exec((await visitor.see(page)).html) ?? []
  const form = (await tryOut(visitor, { minDelta: '20', otherCategories })).form
  await visitor.post(page, form)
  expect((await visitor.see('/channels')).html).toContain('category-number-99')
})
