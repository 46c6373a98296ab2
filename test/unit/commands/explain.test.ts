import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replay } from '../../../src/deliver/replay.ts'
import type { Outcome, Sent } from '../../../src/event/outcome.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { command } from '../../support/command.ts'
import { alert } from '../../support/fakes/events.ts'

const at = '2026-11-21T13:10:00.000Z'

test('explain says what stays uncertain of each channel', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'explain-'))
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  const outcomes: Record<string, Outcome> = {
    given: { state: 'failed', at, attempts: 4, why: 'given up', unanswered: 4 },
    late: { state: 'sent', at, attempts: 2, receipt: { text: 'r' }, unanswered: 1 },
    open: { state: 'waiting', dueAt: at, why: 'no answer', attempts: 1, unanswered: 1 },
    busy: { state: 'waiting', dueAt: at, why: 'not tried yet', attempts: 0, begun: at },
    well: { state: 'sent', at, attempts: 1, receipt: { text: 'r' } },
  }
  await store.accept([{ entry: alert({ id: 'evt_1' }), outcomes }])
  await store.close()
  const config = join(folder, 'bluepencil.yaml')
  await writeFile(config, `store: file:${folder}/data\nchannels:\n  - { name: desk, type: console }\n`)
  const { code, out } = await command(['explain', 'evt_1', '--config', config])
  expect(code).toBe(0)
  const lines = Object.fromEntries(
    out.split('\n').flatMap((line) => {
      const [, channel, reason] = /^ {2}(\w+) +(.*)$/.exec(line) ?? []
      return channel === undefined ? [] : [[channel, reason]]
    }),
  )
  expect(lines.given).toMatch(/given up; 4 attempts got no answer, so it may have arrived 4 times$/)
  expect(lines.late).toMatch(/: r; 1 attempt got no answer before, so it may have arrived 2 times$/)
  expect(lines.open).toMatch(/no answer; 1 attempt got no answer, so it may have arrived$/)
  expect(lines.busy).toMatch(
    /an attempt has been running since 2026-11-21T13:10:00\.000Z, 0 attempts so far: not tried yet$/,
  )
  expect(lines.well).toMatch(/1 attempt: r$/)
})

test('explain shows what each message is about, when it was edited, and which edits are pending', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'explain-'))
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  const sent = (more: Partial<Sent>): Outcome => ({
    state: 'sent',
    at,
    attempts: 1,
    receipt: { place: 'C1', id: '1.2', text: 'C1/1.2' },
    ...more,
  })
  const outcomes = {
    done: sent({ shows: '02', alsoTells: ['evt_1~3'], editedAt: at }),
    owed: sent({ shows: '01' }),
    refused: sent({ shows: '01', unedited: { why: 'it was deleted', shows: '02' } }),
    mail: sent({}),
  }
  const before = {
    id: 'evt_1',
    by: 'service',
    type: null,
    model: null,
    category: null,
    delta: 12,
    detectedAt: at,
  } as const
  await store.accept([
    { entry: alert({ id: 'evt_1' }), outcomes },
    { entry: alert({ id: 'evt_1~2', delta: 9, revises: 'evt_1', before }), outcomes: {} },
    { entry: alert({ id: 'evt_1~3', delta: 8, revises: 'evt_1~2', before }), outcomes: {} },
  ])
  await store.close()
  const config = join(folder, 'bluepencil.yaml')
  await writeFile(config, `store: file:${folder}/data\nchannels:\n  - { name: desk, type: console }\n`)
  const { out } = await command(['explain', 'evt_1', '--config', config])
  expect(out).toMatch(/^ {2}corrected by evt_1~2 later\n {2}corrected by evt_1~3 later$/m)
  expect(out).toMatch(/^ {2}done .*: C1\/1\.2; it also reports evt_1~3; edited 2026-11-21T13:10:00\.000Z$/m)
  expect(out).toMatch(/^ {2}owed .*: C1\/1\.2; to be edited with evt_1~3$/m)
  expect(out).toMatch(/^ {2}refused .*: C1\/1\.2; not edited: it was deleted$/m)
  expect(out).toMatch(/^ {2}mail .*: C1\/1\.2$/m)
})

test('explain shows how it stood each time before it was sent again, in a line each', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'explain-'))
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  await store.accept([
    {
      entry: alert({ id: 'evt_1' }),
      outcomes: {
        desk: { state: 'not_sent', rule: 'models', why: 'the channel gets only gemini; the model is claude' },
      },
    },
  ])
  await replay(store, 'evt_1', 'desk', Date.parse(at))
  await store.settle('evt_1', 'desk', {
    ...(await store.find('evt_1'))?.outcomes.desk,
    state: 'failed',
    at,
    attempts: 4,
    why: 'given up',
  })
  await replay(store, 'evt_1', 'desk', Date.parse(at) + 1_000)
  const again = (await store.find('evt_1'))?.outcomes.desk
  await store.settle('evt_1', 'desk', {
    ...again,
    state: 'sent',
    at,
    attempts: 1,
    receipt: { text: 'r' },
    earlierDropped: 2,
  })
  await store.close()
  const config = join(folder, 'bluepencil.yaml')
  await writeFile(config, `store: file:${folder}/data\nchannels:\n  - { name: desk, type: console }\n`)
  const { out } = await command(['explain', 'evt_1', '--config', config])
  expect(out.split('\n').slice(-5)).toEqual([
    '  desk       sent      2026-11-21T13:10:00.000Z, 1 attempt: r',
    '    earlier            2 older results no longer kept',
    '    earlier  not sent  models: the channel gets only gemini; the model is claude; sent again on request 2026-11-21T13:10:00.000Z',
    '    earlier  failed    2026-11-21T13:10:00.000Z, 4 attempts: given up; sent again on request 2026-11-21T13:10:01.000Z',
    '',
  ])
})

test('explain of a correction says who was sent the old figures, and when', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'explain-'))
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  const sent: Outcome = { state: 'sent', at, attempts: 1, receipt: { text: 'r' } }
  const never: Outcome = { state: 'not_sent', rule: 'models', why: 'another model' }
  const before = { id: 'evt_1', by: 'service' as const, type: null, model: null, category: null }
  const reported = { ...before, delta: 12, detectedAt: null }
  await store.accept([
    {
      entry: alert({ id: 'evt_1' }),
      outcomes: { desk: sent, mail: { state: 'merged', in: 'dgs_1' }, other: never },
    },
    {
      entry: {
        kind: 'digest',
        id: 'dgs_1',
        channel: 'mail',
        by: 'quiet',
        from: at,
        until: at,
        count: 1,
        of: ['evt_1'],
        items: [],
        receivedAt: at,
      },
      outcomes: { mail: { ...sent, at: '2026-11-21T14:00:00.000Z' } },
    },
    { entry: alert({ id: 'evt_1~2', revises: 'evt_1', before: reported }), outcomes: { desk: never } },
    { entry: alert({ id: 'evt_1~3', revises: 'evt_1~2', before: reported }), outcomes: { desk: sent } },
  ])
  await store.close()
  const config = join(folder, 'bluepencil.yaml')
  await writeFile(config, `store: file:${folder}/data\nchannels:\n  - { name: desk, type: console }\n`)
  const { out } = await command(['explain', 'evt_1~3', '--config', config])
  expect(out).toContain('  evt_1~2 was sent to nobody\n')
  expect(out).toContain(
    `  evt_1 was sent to desk (${at}), mail (2026-11-21T14:00:00.000Z, in the message about dgs_1)\n`,
  )
})

test('explain --messages prints what was sent, and how it reads since, once for channels that were sent the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'explain-'))
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  const message = {
    tone: 'rise',
    kicker: 'Censorship spike',
    headline: 'Claude’s refusal rate on political prompts rose 12 points.',
    facts: [{ label: 'Model', value: 'Claude' }],
    links: [{ label: 'Methodology', url: 'https://monitor.example/methodology' }],
    caveats: ['This is provisional.'],
    source: 'Reported by the Service · evt_1',
  }
  const sent: Sent = { state: 'sent', at, attempts: 1, receipt: { text: 'r' } }
  const edits = [{ at: '2026-11-22T09:00:00.000Z', headline: 'CORRECTED: Claude.', caveats: [] }]
  const outcomes: Record<string, Outcome> = {
    desk: { ...sent, message, edits },
    mail: { ...sent, message },
    slow: { ...sent, message: { ...message, text: ['Two\nlines'], picture: 'A line.', unsure: true } },
    old: sent,
    later: { state: 'waiting', dueAt: at, why: 'not tried yet', attempts: 0 },
  }
  await store.accept([{ entry: alert({ id: 'evt_1' }), outcomes }])
  await store.close()
  const config = join(folder, 'bluepencil.yaml')
  await writeFile(config, `store: file:${folder}/data\nchannels:\n  - { name: desk, type: console }\n`)
  const { out: short } = await command(['explain', 'evt_1', '--config', config])
  const { code, out } = await command(['explain', 'evt_1', '--messages', '--config', config])
  expect(code).toBe(0)
  expect(out.startsWith(short)).toBe(true)
  expect(out.slice(short.length)).toBe(
    `As it was sent to desk, mail:
  Censorship spike
  Claude’s refusal rate on political prompts rose 12 points.
  Model: Claude
  Methodology: https://monitor.example/methodology
  ! This is provisional.
  Reported by the Service · evt_1
On desk since 2026-11-22T09:00:00.000Z, after an edit:
  CORRECTED: Claude.
  (no caveats)
` +
      `As it was sent to slow (or the text of an earlier attempt):
  Censorship spike
  Claude’s refusal rate on political prompts rose 12 points.
  Two lines
  Model: Claude
  Methodology: https://monitor.example/methodology
  ! This is provisional.
  Reported by the Service · evt_1
  (picture: A line.)
The text sent to old was not kept: it is older than the archive of messages.
`,
  )
  const { out: json } = await command(['explain', 'evt_1', '--json', '--config', config])
  expect(JSON.parse(json)).toMatchObject({ outcomes: { desk: { message, edits }, mail: { message } } })
})
