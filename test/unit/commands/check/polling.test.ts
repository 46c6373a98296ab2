import { expect, test } from 'vitest'
import { pollingStateFrom } from '../../../../src/intake/poll/state.ts'
import { learnt } from '../../intake/detect/readings.ts'
import { checked, sandboxed } from './checked.ts'

const early = Date.parse('2026-11-03T10:00:00Z')
const late = Date.parse('2026-11-03T11:00:00Z')

/** What check says of figures, by what polling remembers. */
async function figures(changes: object) {
  const { file, remember } = await sandboxed({ channels: '{ name: desk, type: console, models: [claude] }' })
  await remember('polling', { ...pollingStateFrom(undefined, early), ...changes })
  const { code, rows } = await checked(file)
  expect(code).toBe(0)
  return rows.flatMap(({ about, level, what, text }) =>
    about === 'polling' && what === 'figures' ? [`${level} ${text}`] : [],
  )
}

const notKnown = 'ok claude: not known yet: serve has not read its history'

test.each([
  ['never asked for', {}, []],
  ['read', { lookedAt: early, succeededAt: early }, ['ok last read 2026-11-03T10:00:00.000Z']],
  [
    'read before, and not the last time',
    { lookedAt: late, succeededAt: early },
    ['warn they could not be read at 2026-11-03T11:00:00.000Z; they were last read 2026-11-03T10:00:00.000Z'],
  ],
  [
    'never read',
    { lookedAt: late },
    ['warn they could not be read at 2026-11-03T11:00:00.000Z; they have never been read'],
  ],
])('check says of the published figures when they were %s', async (_, changes, rows) => {
  expect(await figures(changes)).toEqual([...rows, notKnown])
})

test('a model whose changes cannot be found yet is a warning', async () => {
  const detector: unknown = JSON.parse(JSON.stringify(learnt(4)))
  const claude = { detector, askedAt: null, historyAt: null, newsFrom: 0 }
  const { figures: none } = pollingStateFrom(undefined, early)
  expect(await figures({ figures: { ...none, models: { claude } } })).toEqual([
    'warn claude: only 4 of its readings are known; from 7 on it is judged',
  ])
})

test('of delays no more is promised than when a figure is read', async () => {
  const { file } = await sandboxed()
  const { rows } = await checked(file)
  const said = rows.filter(({ about }) => about === 'polling').map(({ text }) => text)
  expect(said).toContain(
    'how many readings a change takes to be found depends on its size: docs/internals/detection.md',
  )
  expect(said.join('\n')).not.toMatch(/is (seen|found|detected) within/)
})
