import { describe, expect, test, vi } from 'vitest'
import type { Outcome } from '../../../src/event/outcome.ts'
import { command } from '../../support/command.ts'
import { alert } from '../../support/fakes/events.ts'
import { secret } from '../../support/fakes/signed.ts'
import { configured } from '../../support/served.ts'

const at = '2026-11-21T13:10:00.000Z'
const sent: Outcome = { state: 'sent', at, attempts: 1, receipt: { text: 'r' } }
const failed: Outcome = { state: 'failed', at, attempts: 4, why: 'gone' }
// With a secret: without one, operators are alerted, and the alert is an event too.
const channels = `channels: [{ name: desk, type: console }, { name: mail, type: console }]
webhook: { secrets: [${secret}] }
`

/** Three alerts came; the second failed on one of two channels. */
async function desk() {
  const made = configured(channels)
  await made.store(
    { entry: alert({ id: 'evt_1', model: 'gemini' }), outcomes: { desk: sent } },
    { entry: alert({ id: 'evt_2' }), outcomes: { desk: sent, mail: failed } },
    { entry: alert({ id: 'evt_3' }), outcomes: { desk: sent, mail: sent } },
  )
  return made
}

describe.each(['beside a running service', 'without one'])('events %s', (how) => {
  async function opened() {
    const made = await desk()
    if (how === 'beside a running service') await made.serve()
    return (...argv: string[]) => command(['events', ...argv, '--config', made.file])
  }

  test('are a line each, newest first: when, which, what became of it, and what it says', async () => {
    const ask = await opened()
    const { code, out, notes } = await ask()
    expect({ code, notes }).toEqual({ code: 0, notes: '' })
    const says = 'refusal rate on political prompts rose 12 points.'
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['2026-11-21 13:05Z', 'evt_3', '2 sent', `Claude’s ${says}`],
      ['2026-11-21 13:05Z', 'evt_2', '1 sent, 1 failed', `Claude’s ${says}`],
      ['2026-11-21 13:05Z', 'evt_1', '1 sent', `Gemini’s ${says}`],
      [''],
    ])
  })

  test('are at most as many as are asked for', async () => {
    const ask = await opened()
    expect((await ask('--limit', '2')).out.match(/evt_\d/g)).toEqual(['evt_3', 'evt_2'])
    expect((await ask('-n', '1')).out.match(/evt_\d/g)).toEqual(['evt_3'])
  })

  test('that failed on a channel can be asked for alone', async () => {
    const ask = await opened()
    expect((await ask('--failed')).out.match(/evt_\d/g)).toEqual(['evt_2'])
  })

  test('are, for machines, a document on each line, with what became of it', async () => {
    const ask = await opened()
    const { code, out } = await ask('--json')
    const rows = out
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    expect(code).toBe(0)
    expect(rows).toMatchObject([
      { entry: { id: 'evt_3' } },
      { entry: { id: 'evt_2' }, outcomes: { desk: sent, mail: failed } },
      { entry: { id: 'evt_1', model: 'gemini' } },
    ])
  })
})

test('where none came, people are told so, and machines get nothing', async () => {
  const { file, store } = configured(channels)
  await store()
  const none = { code: 0, out: '' }
  expect(await command(['events', '--config', file])).toEqual({
    ...none,
    notes: 'No event has come in yet.\n',
  })
  expect(await command(['events', '--failed', '--config', file])).toEqual({
    ...none,
    notes: 'No event has failed on a channel.\n',
  })
  expect(await command(['events', '--json', '--config', file])).toEqual({ ...none, notes: '' })
})

test('the configuration is that of BLUEPENCIL_CONFIG where --config names none', async () => {
  const { file } = await desk()
  vi.stubEnv('BLUEPENCIL_CONFIG', file)
  try {
    expect((await command(['events', '--failed'])).out).toContain('evt_2')
  } finally {
    vi.unstubAllEnvs()
  }
})

test.each([
  [['--limit', '0'], /--limit <N>' argument '0' is invalid. It must be a whole number, 1 or more\./],
  [['--limit', 'many'], /--limit <N>' argument 'many' is invalid/],
  [['evt_1'], /too many arguments for 'events'/],
  [['--config', 'nowhere.yaml'], /^nowhere\.yaml: does not exist; /],
])('%j is a usage error', async (argv, message) => {
  const { file } = configured(channels)
  const answer = await command(['events', '--config', file, ...argv])
  expect(answer).toEqual({ code: 2, out: '', notes: expect.stringMatching(message) })
})
