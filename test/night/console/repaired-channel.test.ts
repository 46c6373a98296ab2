import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hashOf } from '../../../src/console/access/password.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { openUnset, password } from '../../system/console/setup-desk.ts'

const desk = { name: 'desk', type: 'console' }

/** A desk with these channels, all made in the browser, and its admin. */
async function deskWith(...channels: object[]) {
  const folder = mkdtempSync(join(tmpdir(), 'repaired-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  const users = [{ name: 'ana', password: await hashOf(password), role: 'admin' }]
  const config = { revision: 3, users, channels: [desk, ...channels] }
  await store.changeState('settings', () => ({ revision: 3, filters: {}, config }))
  await store.close()
  const opened = await openUnset({}, { folder })
  const ana = opened.visitor()
  await ana.signIn('ana', password)
  return { ...opened, ana }
}

test.each<[what: string, filters: object, wrong: string, right: Record<string, string>]>([
  ['a model that there is not', { models: ['clawd'] }, 'clawd', { 'in.models': 'claude, gemini' }],
  [
    'a size above a hundred points',
    { quiet: { from: '22:00', to: '07:00', unless: { minDelta: 500 } } },
    '500',
    { 'in.quiet.from': '22:00', 'in.quiet.to': '07:00', 'in.quiet.unless.minDelta': '50' },
  ],
])('a channel with a wrong filter is repaired where it was made: %s', async (_, filters, wrong, right) => {
  const { ana } = await deskWith({ ...desk, name: 'politics', ...filters })
  const page = '/settings/channels/politics'
  const { html } = await ana.see(page)
  expect(html).toContain(
    'politics is not in use, because something in it is wrong. Correct it, or remove it.',
  )
  expect(html).toContain(wrong)
  expect(html).not.toContain('/channels/politics/filters')
  const field = Object.keys(right).at(-1) ?? ''
  const refused = await ana.submit(page, page, { ...right, [field]: wrong })
  expect([refused.status, refused.html.includes(`id="${field}-error"`)]).toEqual([422, true])
  expect((await ana.submit(page, page, right)).html).toContain('It is saved')
  const repaired = (await ana.see(page)).html
  expect(repaired).not.toContain('is not in use')
  expect(repaired).toContain('/channels/politics/filters')
  // Its filters are on a page of their own again.
  expect(repaired).not.toContain(`name="${field}"`)
})

test('the filters of a channel that was made here are not called those of a file', async () => {
  const { ana } = await deskWith({ ...desk, name: 'politics', models: ['claude'] })
  const { html } = await ana.see('/channels/politics/filters')
  expect(html).toContain('<dt>In force</dt>')
  expect(html).not.toMatch(/the file/i)
})
