import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Package } from 'datapackage'
import { expect, test } from 'vitest'
import type { AlertEvent } from '../../../src/event/event.ts'
import type { Outcome } from '../../../src/event/outcome.ts'
import { hourMs } from '../../../src/platform/durations.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { figure } from '../../contract/figures.ts'
import { words } from '../../contract/store.ts'
import { command } from '../../support/command.ts'
import { alert, finding, levels } from '../../support/fakes/events.ts'

const measuredAt = Date.parse('2026-11-21T12:00:00.000Z')

/** A store with one figure that is revised twice, one undated one, and what became of five alerts about three changes. */
async function stored() {
  const folder = mkdtempSync(join(tmpdir(), 'bp-figures-'))
  const config = join(folder, 'b.yaml')
  writeFileSync(
    config,
    `store: file:${folder}/data\nwebhook: { secrets: [whsec_of_the_test_of_the_export] }\nchannels: [{ name: desk, type: console }]\n`,
  )
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  const figures = [
    figure(),
    figure({ rate: 0.19, seenAt: measuredAt + 5 * hourMs }),
    figure({ rate: 0.19, version: '3.4', seenAt: measuredAt + 6 * hourMs }),
    figure({ category: 'safety', measuredAt: null, rate: 0.05, sampleSize: null, version: null }),
  ]
  for (const figure of figures) {
    const { service, model, category, seenAt } = figure
    const span = { service, model, category, source: 'newest', from: seenAt, to: seenAt } as const
    await store.figures.add({ figures: [figure], spans: [span] })
  }
  const at = (time: string) => `2026-11-${time}:00.000Z`
  const sent: Outcome = {
    state: 'sent',
    at: at('02T10:01'),
    attempts: 1,
    receipt: { text: 'sent' },
    message: { ...words, headline: '=Claude’s rate rose 12 points.' },
  }
  const merged: Outcome = { state: 'merged', in: 'evt_1' }
  const withLevels = {
    figures: { ...finding().figures, state: 'visible', levels: levels() },
  } as Partial<AlertEvent>
  const alerts: [AlertEvent, Record<string, Outcome>][] = [
    [alert({ receivedAt: at('02T10:00'), delta: 12 }), { desk: sent }],
    [finding({ receivedAt: at('02T13:00'), sameAs: 'evt_1', ...withLevels }), { desk: merged }],
    [alert({ id: 'evt_1~2', receivedAt: at('02T14:00'), delta: 10, revises: 'evt_1' }), { desk: merged }],
    [finding({ id: 'poll_2', receivedAt: at('03T10:00'), ...withLevels }), { desk: sent }],
    [
      finding({
        id: 'poll_v',
        receivedAt: at('04T10:00'),
        type: 'version_change',
        category: null,
        delta: null,
        figures: null,
        version: { from: '3.3', to: '3.4' },
      }),
      { desk: { state: 'not_sent', rule: 'events', why: 'it is a version change' } },
    ],
  ]
  for (const [entry, outcomes] of alerts) await store.accept([{ entry, outcomes }])
  await store.close()
  return { folder, config }
}

const exported = (config: string, ...options: string[]) =>
  command(['figures', 'export', '--config', config, ...options])

test('each value of a figure is a row, with what it replaced and when that was seen', async () => {
  const { config } = await stored()
  const { code, out, notes } = await exported(config, '--jsonl')
  expect({ code, notes }).toEqual({ code: 0, notes: '' })
  const rows = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows).toMatchObject([
    { category: 'political', percent: 18, revision: 0, changed: [], isCurrent: false, prompts: 500 },
    {
      percent: 19,
      published: 0.19,
      unit: 'fraction',
      measuredAt: '2026-11-21T12:00:00Z',
      seenAt: '2026-11-21T17:00:00Z',
      revision: 1,
      changed: ['rate'],
      percentBefore: 18,
      seenBefore: '2026-11-21T13:05:00Z',
      isCurrent: false,
    },
    { percent: 19, revision: 2, changed: ['version'], version: '3.4', isCurrent: true },
    { category: 'safety', percent: 5, measuredAt: null, prompts: null, promptsOf: null, revision: 0 },
  ])
  const { out: csv } = await exported(config, '--category', 'safety')
  expect(csv).toBe(
    'service,model,category,series,measuredAt,part,percent,published,unit,prompts,promptsOf,version,seenAt,revision,changed,percentBefore,seenBefore,isCurrent\r\n' +
      'service.example/v1,claude,safety,newest,,0,5,0.05,fraction,,,,2026-11-21T13:05:00Z,0,,,,true\r\n',
  )
})

test('each change is one row, with all its reports, corrections and findings; a version is no rate', async () => {
  const { config } = await stored()
  const { out } = await exported(config, '--table', 'changes', '--jsonl')
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    {
      id: 'evt_1',
      kind: 'rate',
      firstSeenBy: 'webhook',
      firstSeenAt: '2026-11-02T10:00:00Z',
      foundAt: '2026-11-02T13:00:00Z',
      reportedSize: 10,
      status: 'corrected',
      statusBy: 'evt_1~2',
      alerts: ['evt_1', 'poll_1', 'evt_1~2'],
    },
    { id: 'poll_2', kind: 'rate', firstSeenBy: 'figures', status: 'provisional', reportedAt: null },
    { id: 'poll_v', kind: 'version', versionFrom: '3.3', versionTo: '3.4', reportedSize: null, chance: null },
  ])
  const { out: later } = await exported(config, '--table', 'changes', '--jsonl', '--from', '2026-11-03')
  expect(later.match(/"id":"[^"]+"/g)).toEqual(['"id":"poll_2"', '"id":"poll_v"'])
})

test('what became of each alert on each channel is a row', async () => {
  const { config } = await stored()
  const { out } = await exported(config, '--table', 'notifications', '--to', '2026-11-02')
  expect(out).toBe(
    'change,alert,channel,state,at,reason,headline,editedAt,copies\r\n' +
      "evt_1,evt_1,desk,sent,2026-11-02T10:01:00Z,,'=Claude’s rate rose 12 points.,,0\r\n" +
      'evt_1,poll_1,desk,merged,,evt_1,,,0\r\n' +
      'evt_1,evt_1~2,desk,merged,,evt_1,,,0\r\n',
  )
})

test('a package is read by an independent reader of data packages, relations included', async () => {
  const { config, folder } = await stored()
  const to = join(folder, 'package')
  const { code, notes } = await exported(config, '--package', to)
  expect({ code, notes }).toEqual({ code: 0, notes: '' })
  expect(readdirSync(to).toSorted()).toEqual([
    'changes.csv',
    'codebook.md',
    'datapackage.json',
    'figures.csv',
    'notifications.csv',
  ])
  const read = await Package.load(join(to, 'datapackage.json'))
  expect(read.errors).toEqual([])
  expect(read.valid).toBe(true)
  const rows = Object.fromEntries(
    await Promise.all(
      read.resources.map(async (resource) => [
        resource.name,
        await resource.read({ keyed: true, relations: resource.name === 'notifications' }),
      ]),
    ),
  )
  expect(rows).toMatchObject({
    changes: [{ id: 'evt_1', reportedSize: 10 }, { id: 'poll_2' }, { id: 'poll_v' }],
    notifications: { length: 5 },
    figures: [{ percent: 18 }, { percent: 19 }, { percent: 19 }, { percent: 5, prompts: null }],
  })
  const book = readFileSync(join(to, 'codebook.md'), 'utf8')
  expect(book).toContain('| percent | number | Refusal rate; percent. Empty if the unit is unknown |')
})

test.each([
  [['--from', '2026-11-31'], '2026-11-31 is not a day; write one as 2026-11-21'],
  [['--from', '2026-11-03', '--to', '2026-11-02'], '2026-11-03 is after 2026-11-02'],
  [['--table', 'mails'], "argument 'mails' is invalid. Allowed choices are changes, notifications, figures."],
])('what cannot be exported is said, with exit code 2: %j', async (options, sentence) => {
  const { config } = await stored()
  const { code, notes } = await exported(config, ...options)
  expect(code).toBe(2)
  expect(notes).toContain(sentence)
})

test('a file that is there is not written over', async () => {
  const { config, folder } = await stored()
  const file = join(folder, 'figures.csv')
  writeFileSync(file, 'mine')
  const { code, notes } = await exported(config, '--output', file)
  expect({ code, notes }).toEqual({
    code: 1,
    notes: `bluepencil: ${file} was not written: it is there already; name another\n`,
  })
  expect(readFileSync(file, 'utf8')).toBe('mine')
})
