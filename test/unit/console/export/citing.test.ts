import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bibtexOf, citationText, citedOf, cslFileOf } from '../../../../src/console/export/citation.ts'
import type { ConsoleParts } from '../../../../src/console/parts.ts'
import { shownLater } from '../../../../src/decide/accept/later.ts'
import type { AlertEvent } from '../../../../src/event/event.ts'
import { otherContentId } from '../../../../src/event/ids.ts'
import { render } from '../../../../src/message/render/render.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { hashesOf, receivedOf } from '../../../../src/record/evidence/link.ts'
import { title as titleInList } from '../../../../src/record/explain/title.ts'
import { alert, finding, levels, noFigures } from '../../../support/fakes/events.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

const by = 'service'
const title = 'Censorship spike: Claude, political prompts, +12 percentage points'

/** How the first of these is cited, if the others came after it. */
async function citedWith(others: AlertEvent[], first = alert(), console: object = {}) {
  const store = createMemoryBacking(systemClock).open()
  await store.accept([first, ...others].map((entry) => ({ entry, outcomes: {} })))
  const parts = {
    report: async (one: AlertEvent) =>
      render(one, {
        timeZone: 'UTC',
        service: 'the service',
        ...shownLater(await store.later(one.id)),
      }),
    config: () => ({ console }),
    clock: { now: () => Date.parse('2026-12-24T08:00:00.000Z') },
  }
  return citedOf(first, parts as unknown as ConsoleParts)
}

test('what the service reported is cited as its own, with what it said, as recorded by Bluepencil', async () => {
  const event = alert({ figures: { ...noFigures, state: 'visible', levels: levels({}) } })
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(await citedWith([], event)).toMatchObject({
    author: 'Censorship Monitoring Service',
    title,
    methodology: 'https://monitor.example/methodology',
    record: `As recorded by Bluepencil ${version}`,
  })
})

test('a finding is cited as one of Bluepencil’s', async () => {
  expect(await citedWith([], finding())).toMatchObject({
    author: 'Bluepencil',
    title: 'Claude’s refusal rate on political prompts rose 12 points',
    record: expect.stringMatching(
      /^Found by Bluepencil \S+ in the published figures of the Censorship Monitoring Service$/,
    ),
  })
})

test('the citation of a finding, its page and the list have its own size, also if the service reported another', async () => {
  const event = finding({ delta: 11.9, figures: { ...noFigures, state: 'visible', levels: levels() } })
  const { title: cited } = await citedWith([alert({ sameAs: event.id, delta: 14 })], event)
  expect(cited).toBe('Claude refused 30% of political prompts, up from 18%')
  expect(`${cited}.`).toBe(titleInList(event))
})

test('time and hash in the citation of a finding are its own, also if the service reported it later', async () => {
  const event = finding({ receivedAt: '2026-11-21T13:19:00.000Z' })
  const report = alert({
    sameAs: event.id,
    receivedAt: '2026-11-21T13:56:00.000Z',
    body: { encoding: 'utf8', text: '{"delta":25}' },
  })
  const cited = await citedWith([report], event)
  const source = `figures of the Censorship Monitoring Service, received 2026-11-21 13:19Z; SHA-256 of its body ${hashesOf(receivedOf(event, null)).body}`
  for (const text of [citationText(cited), cslFileOf(cited), bibtexOf(cited)]) expect(text).toContain(source)
  expect(citationText(cited)).toMatch(
    /\. The Censorship Monitoring Service also reported this change, as evt_1\.$/,
  )
})

test('the hash is the one that the file of evidence has of the body', async () => {
  const event = alert()
  expect((await citedWith([], event)).sha256).toBe(hashesOf(receivedOf(event, null)).body)
})

test.each([
  [undefined, undefined],
  ['http://127.0.0.1:8081', undefined],
  ['http://[::1]:8081/console', undefined],
  ['https://desk.example/tools', 'https://desk.example/tools/alerts/evt_1'],
])('with console.publicUrl %s its address is %s', async (publicUrl, url) => {
  expect((await citedWith([], alert(), { publicUrl })).url).toBe(url)
})

const titleWith = async (others: AlertEvent[]) => (await citedWith(others)).title

test('a citation says that the alert was corrected where the correction came under its id', async () => {
  const corrected = alert({ id: otherContentId('evt_1', 2), revises: 'evt_1', before: { ...alert(), by } })
  expect(await titleWith([corrected])).toBe(`CORRECTED: ${title}`)
})

test('another change under the same id is no correction; what comes under it later may be one', async () => {
  expect(await titleWith([alert({ id: otherContentId('evt_1', 2) })])).toBe(title)
  expect(await titleWith([])).toBe(title)
  const late = alert({ id: otherContentId('evt_1', 3), revises: 'evt_1', before: { ...alert(), by } })
  expect(await titleWith([alert({ id: otherContentId('evt_1', 2) }), late])).toBe(`CORRECTED: ${title}`)
})
