import { cp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { contentOf } from '../../../src/event/content.ts'
import { event, start, waiting } from '../../contract/store.ts'
import { alert } from '../../support/fakes/events.ts'
import { openDesk } from '../accept/desk.ts'
import { openStore, temporaryFolder } from './folder.ts'

/** As version 1 wrote it: e0 to e4 sealed, e5 to e7 in a journal. e5 was stored before there was polling. */
const recorded = fileURLToPath(new URL('version-1', import.meta.url))
/** As it was written before there were edits: receipts as text, and what was sent becoming owed again to be completed. */
const withCompletions = fileURLToPath(new URL('version-2', import.meta.url))

function said(id: string, delta: string) {
  const text = `{"data":{"delta":"${delta}"},"id":"${id}"}`
  return alert({
    id,
    body: { encoding: 'utf8', text },
    content: contentOf(Buffer.from(text), JSON.parse(text)),
  })
}

test('a folder of version 1 is read whole and carried on in version 2', async () => {
  const folder = join(await temporaryFolder(), 'data')
  await cp(recorded, folder, { recursive: true })
  const { store, troubles } = await openStore(folder)
  expect((await store.list({ limit: 9 })).map(({ seq, entry }) => `${seq}${entry.id}`)).toEqual([
    '8e7',
    '7e6',
    '6e5',
    '5e4',
    '4e3',
    '3e2',
    '2e1',
    '1e0',
  ])
  expect(await store.find('e5')).toMatchObject({ entry: { figures: null, sameAs: null } })
  expect(await store.find('e6')).toMatchObject({ outcomes: { desk: { receipt: { text: 'r66' } } } })
  expect(await store.backlog()).toMatchObject([{ channel: 'desk', waiting: 1 }])
  expect(await store.readState('subscription')).toEqual({ id: 'wh_1' })
  await store.close()

  const again = await openStore(folder)
  const repeats = ['e1', 'e6'].flatMap((id) => [said(id, '+12.0pp'), said(id, '+92.0pp')])
  expect(await again.store.accept(repeats.map((entry) => ({ entry, outcomes: {} })))).toEqual([
    'duplicate',
    'changed',
    'duplicate',
    'changed',
  ])
  expect(await again.store.accept([{ entry: said('e8', '+1.0pp'), outcomes: {} }])).toEqual(['new'])
  expect(await again.store.list({ limit: 99 })).toHaveLength(9)
  expect([...troubles, ...again.troubles]).toEqual([])
  for (const name of await readdir(join(folder, 'segments'))) {
    expect(await readFile(join(folder, 'segments', name), 'utf8')).toMatch(
      /^\{"sum":"[0-9a-f]{16}",.*"version":2/,
    )
  }
})

test('what waited before a try was written down when it began is uncertain where its last try was, and not otherwise', async () => {
  const folder = await temporaryFolder()
  const { store } = await openStore(folder)
  await store.accept([
    event('evt_1', { desk: waiting() }),
    event('evt_2', { desk: waiting({ attempts: 3 }) }),
    event('evt_3', { desk: waiting({ attempts: 3, uncertain: true }) }),
  ])
  await store.close()
  const { store: again } = await openStore(folder)
  const owed = await again.lease('desk', { now: start, limit: 3, leaseMs: 1 })
  expect(owed.map(({ uncertain }) => uncertain)).toEqual([false, false, true])
  await again.close()
})

test('receipts that were text and completions that were owed are read, also after they were carried on', async () => {
  const folder = join(await temporaryFolder(), 'data')
  await cp(withCompletions, folder, { recursive: true })
  const at = '2026-11-21T13:10:00.000Z'
  const sent = (receipt: object) => ({ state: 'sent', at, attempts: 1, receipt })
  const slack = (ts: string) => ({ place: 'C0123456789', id: ts, text: `C0123456789/${ts}` })
  const mail = '<bluepencil.5f1c@desk.example> to 2 of 3; smtp.desk.example refuses 1 of 3 addresses'
  for (const opening of ['first', 'second']) {
    const { store, troubles } = await openStore(folder)
    const outcomesOf = async (id: string) => (await store.find(id))?.outcomes
    expect(await outcomesOf('evt_1')).toEqual({
      slack: { ...sent(slack('1795262702.000100')), alsoTells: ['poll_1'] },
      discord: {
        ...sent({ id: '1180000000000000001', text: '1180000000000000001' }),
        unedited: { why: 'The message is not there any more, or not ours (code 10008).' },
      },
      mail: sent({ id: '<bluepencil.5f1c@desk.example>', text: mail }),
      hook: { ...sent({ text: 'taken by the webhook, which gives no id' }), unanswered: 1 },
      terminal: sent({ text: 'written to the terminal' }),
    })
    expect(await outcomesOf('evt_4')).toEqual({
      slack: sent(slack('1795262706.000100')),
      discord: sent({ id: '1180000000000000004', text: '1180000000000000004' }),
    })
    // The completions were all that waited, but for one.
    expect(await store.backlog()).toMatchObject([{ channel: 'slack', waiting: 1 }])
    if (opening === 'first') {
      // Sealed anew, with what is written today.
      await store.alter('evt_1', 'terminal', (outcome) => outcome)
      await store.alter('evt_5', 'slack', () => ({ state: 'not_sent', rule: 'models', why: '' }))
      await store.alter('evt_5', 'slack', () => waiting())
    }
    await store.close()
    expect(troubles).toEqual([])
  }
})

test('what was owed a completion when Bluepencil was brought up to date is edited, and nothing else is', async () => {
  const folder = join(await temporaryFolder(), 'data')
  await cp(withCompletions, folder, { recursive: true })
  const { store } = await openStore(folder)
  const desk = await openDesk({ store, others: { slack: {}, discord: {} }, editsOthers: true })
  await vi.waitUntil(() => desk.edited.length === 4)
  await desk.stop()
  const edits = desk.edited.map(
    ({ receipt, message }) => `${receipt.text} tells of ${message.alsoTells?.join()}`,
  )
  expect(edits.toSorted()).toEqual([
    '1180000000000000002 tells of evt_2~2',
    '1180000000000000004 tells of poll_4',
    'C0123456789/1795262703.000100 tells of evt_2~2',
    'C0123456789/1795262706.000100 tells of poll_4',
  ])
  expect((await store.find('evt_4'))?.outcomes.slack).toMatchObject({ state: 'sent', alsoTells: ['poll_4'] })
})
