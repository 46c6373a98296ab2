import { expect, test } from 'vitest'
import type { Act } from '../../../src/event/act.ts'
import { deskOf, publishedIn, storyAddress } from '../../../src/event/desk.ts'

const ana = { name: 'Ana', via: 'console' } as const
const ben = { name: 'Ben', id: 'U2', via: 'slack' } as const
const at = '2026-11-21T13:05:02.000Z'
const common = { kind: 'act', about: 'evt_1', receivedAt: at } as const
const acknowledged = (id: string, by: Act['by']): Act => ({ ...common, id, by, does: 'acknowledge' })
const set = (id: string, by: Act['by'], state: 'new' | 'checking' | 'published', story?: string): Act => ({
  ...common,
  id,
  by,
  does: 'set-desk',
  state,
  click: id,
  ...(story && { story }),
})

test('an acknowledgement takes a new alert, and takes it from nobody', () => {
  expect(deskOf([])).toEqual({ state: 'new' })
  expect(deskOf([acknowledged('act_1', ana), acknowledged('act_2', ben)])).toEqual({
    state: 'checking',
    by: ana,
    at,
    act: 'act_1',
  })
  const published = [set('act_1', ana, 'published', 'https://news.example/1'), acknowledged('act_2', ben)]
  expect(deskOf(published)).toMatchObject({ state: 'published', by: ana, story: 'https://news.example/1' })
  const reopened = [acknowledged('act_1', ana), set('act_2', ana, 'new')]
  expect(deskOf(reopened)).toMatchObject({ state: 'new', by: ana, act: 'act_2' })
  expect(deskOf([...reopened, acknowledged('act_3', ben)])).toMatchObject({ state: 'checking', by: ben })
})

test('what is done last counts, and other acts count for nothing', () => {
  const acts = [set('act_1', ana, 'published', 'https://news.example/1'), set('act_2', ben, 'checking')]
  expect(deskOf(acts)).toEqual({ state: 'checking', by: ben, at, act: 'act_2' })
  expect(deskOf([{ ...common, about: null, id: 'act_1', by: ana, does: 'test', channel: 'desk' }])).toEqual({
    state: 'new',
  })
})

test('a story stays published while somebody checks the alert again, and is none once it is put back', () => {
  const acts = [set('act_1', ana, 'published', 'https://news.example/1'), set('act_2', ben, 'checking')]
  expect(publishedIn(acts)).toMatchObject({ by: ana, story: 'https://news.example/1', act: 'act_1' })
  expect(publishedIn([...acts, set('act_3', ben, 'new')])).toBeUndefined()
  expect(publishedIn([])).toBeUndefined()
})

test.each([
  [' https://news.example/a b?q="x"<i>#é ', 'https://news.example/a%20b?q=%22x%22%3Ci%3E#%C3%A9'],
  ['<https://news.example/1>', 'https://news.example/1'],
  ['http://cms.internal/draft/7', 'http://cms.internal/draft/7'],
  ['javascript:alert(1)', undefined],
  ['news.example/1', undefined],
  ['https://ana:secret@news.example/1', undefined],
  [`https://news.example/${'a'.repeat(500)}`, undefined],
  ['<https://ex.org/a|ex.org/a>', 'https://ex.org/a'],
  ['<https://ex.org/a>', 'https://ex.org/a'],
  ['', undefined],
])('the address %s is kept as %s', (written, kept) => {
  expect(storyAddress(written)).toBe(kept)
})
