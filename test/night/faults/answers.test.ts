import { describe, expect, test } from 'vitest'
import type { Fault } from '../../support/fakes/fault-proxy.ts'
import { hour, minute, until } from '../../system/faults/desk.ts'
import { endOf, type Name, names, openDeskWithProviders, troubleOf } from '../../system/faults/providers.ts'
import { selected } from '../../system/faults/selection.ts'

const page = '<!DOCTYPE html><html><title>Please log in</title></html>'
const http = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\nConnection: close\r\n\r\n${page}`

const faults: [string, (name: Name) => Fault][] = [
  ['takes connections and says nothing', () => 'hang'],
  ['breaks each connection off', () => 'cut'],
  ['is a page of HTML', (name) => (name === 'mail' ? { greets: page } : { answers: http })],
  ['answers a byte at a time', () => ({ dripMs: 2_000 })],
]

describe.each(names)('%s', (name) => {
  test.each(selected(3, faults))(
    'that %s: no other channel waits, one notice, and all arrives once when it is resolved',
    async (_, fault) => {
      const { desk, lines, read } = await openDeskWithProviders()
      await lines[name].set(fault(name))
      await desk.deliver('evt_1')
      await desk.deliver('evt_2')
      const both = ['evt_1', 'evt_2']
      const others = names.filter((one) => one !== name)
      // Of each channel's pace a second is still to pass.
      await until(async () => {
        await desk.seconds(1)
        const texts = await read()
        return others.every((other) => texts[other].length === 2)
      })
      expect(desk.told()).toEqual([])
      await desk.pass(12 * minute, 150)
      expect(await desk.hears(1)).toEqual([troubleOf(name, 'cannot be reached')])
      expect(await desk.outcome('evt_1', name)).toMatchObject({ state: 'waiting' })

      await lines[name].set()
      await desk.pass(10 * minute)
      expect((await read())[name].toSorted()).toEqual(both)
      expect(await desk.hears(2)).toEqual([troubleOf(name, 'cannot be reached'), endOf(name)])
    },
  )
})

describe('429', () => {
  const headers: [header: string | undefined, least: number, most: number][] = [
    ['7', 7_000, 7_100],
    ['2.5', 2_500, 2_600],
    [undefined, 500, 1_000],
    ['-5', 500, 1_000],
    ['soon', 500, 1_000],
    ['999999999', hour, hour],
  ]
  test.each(headers)(
    'with Retry-After %s: waited for as is sensible, and told only where it is long',
    async (header, least, most) => {
      const { desk, slack, discord, read } = await openDeskWithProviders()
      const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header }
      slack.fail('chat.postMessage', { answer: 'status', status: 429, headers })
      discord.script({ does: { answer: 429, headers, body: { message: 'Slow down.', global: false } } })
      await desk.deliver('evt_1')
      await desk.pass(0)
      for (const name of ['slack', 'discord']) {
        const outcome = await desk.outcome('evt_1', name)
        expect(outcome).toMatchObject({ state: 'waiting', attempts: 1, uncertain: false })
        const wait = outcome?.state === 'waiting' ? Date.parse(outcome.dueAt) - desk.now() : 0
        expect(wait).toBeGreaterThanOrEqual(least)
        expect(wait).toBeLessThanOrEqual(most)
      }
      const out: Name[] = most === hour ? ['discord', 'slack'] : []
      const titles = out.map((name) => troubleOf(name, 'cannot be reached'))
      expect((await desk.hears(titles.length)).toSorted()).toEqual(titles)
      await desk.pass(least - 1)
      expect(await read()).toMatchObject({ slack: [], discord: [] })
      await desk.pass(most - least + 1)
      expect(await read()).toMatchObject({ slack: ['evt_1'], discord: ['evt_1'] })
      expect((await desk.hears(2 * titles.length)).toSorted()).toEqual([...titles, ...out.map(endOf)])
    },
  )

  test('for everything that the bot sends, for as long as may be: asked again after an hour', async () => {
    const { desk, discord, read } = await openDeskWithProviders()
    discord.script({ does: { limited: 999_999_999, scope: 'global' } })
    await desk.deliver('evt_1')
    await desk.pass(hour - minute)
    expect((await read()).discord).toEqual([])
    await desk.pass(2 * minute)
    expect((await read()).discord).toEqual(['evt_1'])
  })
})
