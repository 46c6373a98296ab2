import { expect, test } from 'vitest'
import { menuOf } from '../../../src/console/menu.ts'

const shown = (role: 'reader' | 'admin', path: string) =>
  menuOf({ role }, path).map(({ name, path: to, current, pages }) => [
    name,
    to,
    current,
    pages.map((page) => `${page.name}${page.current === 'page' ? ' (here)' : ''}`).join(', '),
  ])

test('the menu has five sections, and shows the pages of the one that somebody is in', () => {
  expect(shown('admin', '/silences')).toEqual([
    ['Overview', '/', undefined, ''],
    ['Alerts', '/alerts', undefined, ''],
    ['Models', '/models', undefined, ''],
    ['Channels', '/channels', 'true', 'All channels, Silences (here), Failed'],
    ['Settings', expect.any(String), undefined, ''],
  ])
})

test('a page below another marks it, and nothing is in the menu that a visitor may not see', () => {
  expect(menuOf({ role: 'reader' }, '/alerts/evt_1')[1]?.pages[0]).toMatchObject({ current: 'true' })
  expect(menuOf({ role: 'reader' }, '/dictionary')[1]?.pages[2]).toMatchObject({ current: 'page' })
  const names = menuOf({ role: 'reader' }, '/log').flatMap(({ name, pages }) => [
    name,
    ...pages.map((page) => page.name),
  ])
  expect(names).not.toContain('Audit log')
  expect(names).not.toContain('Configuration')
})
