import { describe, expect, test, vi } from 'vitest'
import { findingsOf, noBrowser, openPage, sizes } from '../../system/console/browser.ts'
import { openDesk } from '../../system/console/desk.ts'
import { excessWidthOf, newsroomInBrowser, paths, tabTo } from '../../system/console/newsroom-in-browser.ts'
import { quickHashOf } from '../../system/console/quick-hash.ts'

const { browser, at, closing } = newsroomInBrowser()

describe.skipIf(noBrowser !== undefined)(
  `in a browser${noBrowser === undefined ? '' : `: ${noBrowser}`}`,
  () => {
    test('axe finds nothing on any page, at a desk and on a phone, light and dark, and nothing is wider than a window', {
      timeout: 240_000,
    }, async () => {
      const { page, complaints } = await openPage(browser())
      const violations: Record<string, string[]> = {}
      const wide: Record<string, unknown> = {}
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(at(path))
        for (const size of ['desk', 'phone'] as const) {
          await page.setViewportSize(sizes[size])
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme })
            const findings = await findingsOf(page)
            if (findings.length > 0) violations[`${name}, ${size}, ${colorScheme}`] = findings
          }
        }
        // It widens the font: what axe looks at comes first.
        for (const [size, window] of Object.entries(sizes)) {
          await page.setViewportSize(window)
          const excess = await excessWidthOf(page)
          if (excess !== 0) wide[`${name}, ${size}`] = excess
        }
      }
      expect([violations, wide]).toEqual([{}, {}])
      expect(complaints.filter((one) => !one.includes('404'))).toEqual([])
      await page.context().close()
    })

    test('axe finds nothing on the sign-in page, before and after a failed attempt', {
      timeout: 60_000,
    }, async () => {
      const desk = await openDesk(
        {
          console: { users: [{ name: 'ana', password: await quickHashOf('correct horse'), role: 'reader' }] },
        },
        { closing },
      )
      for (const look of ['light', 'dark'] as const) {
        const { page } = await openPage(browser(), { look })
        await page.goto(desk.url)
        expect(await findingsOf(page)).toEqual([])
        await page.getByLabel('Name').fill('ana')
        await page.getByLabel('Password').fill('wrong')
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('alert').waitFor()
        expect(await findingsOf(page)).toEqual([])
        await page.context().close()
      }
    })

    test('with the keyboard alone somebody skips to the content, filters, opens an alert and acknowledges it', {
      timeout: 60_000,
    }, async () => {
      const { page } = await openPage(browser())
      await page.goto(at('/alerts'))
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      await page.keyboard.type('gemini safety')
      await page.keyboard.press('Enter')
      await page.waitForURL(/words=gemini/)
      expect(await page.locator('.alerts li').count()).toBe(1)
      await tabTo(page, 'Gemini’s refusal rate on safety prompts fell 6 points.')
      await page.keyboard.press('Enter')
      await page.waitForURL(/evt_week1/)
      await tabTo(page, 'Acknowledge')
      await page.keyboard.press('Enter')
      await page.getByRole('status').waitFor()
      expect(await page.getByRole('status').textContent()).toMatch(/^Acknowledged\./)
      await page.context().close()
    })

    test('with the keyboard alone somebody changes what a channel gets, and axe finds nothing on what it would mean', {
      timeout: 60_000,
    }, async () => {
      for (const [look, size] of [
        ['light', 'desk'],
        ['dark', 'phone'],
      ] as const) {
        const { page, complaints } = await openPage(browser(), { look, size })
        await page.goto(at('/channels/politics/filters'))
        await page.getByLabel('Smallest change, in percentage points').focus()
        await page.keyboard.press('ControlOrMeta+A')
        await page.keyboard.type(look === 'light' ? '8' : '9')
        await page.keyboard.press('Enter')
        await page.waitForURL(/\/try$/)
        expect(await findingsOf(page)).toEqual([])
        expect(await page.getByRole('region', { name: 'What would change' }).textContent()).toMatch(
          /It would no longer get \(\d\)|Nothing would be missing/,
        )
        await tabTo(page, 'Put it in force')
        await page.keyboard.press('Enter')
        await page.getByRole('status').waitFor()
        expect(await page.getByRole('status').textContent()).toMatch(/^The channel’s filters are changed/)
        expect(await findingsOf(page)).toEqual([])
        expect(complaints).toEqual([])
        await page.context().close()
      }
    })

    test('with the keyboard alone somebody makes a token and revokes it, and axe finds nothing where it is shown', {
      timeout: 120_000,
    }, async () => {
      for (const [look, size] of [
        ['light', 'desk'],
        ['dark', 'phone'],
      ] as const) {
        const { page } = await openPage(browser(), { look, size })
        await page.goto(at('/tokens'))
        await page.getByLabel('Name').focus()
        await page.keyboard.type(`Reader ${look}`)
        await page.keyboard.press('Tab')
        await tabTo(page, 'Make')
        await page.keyboard.press('Enter')
        await page.getByRole('status').waitFor()
        expect(await page.getByRole('region', { name: 'The token', exact: true }).textContent()).toMatch(
          /^bpfeeds_/,
        )
        expect(await findingsOf(page)).toEqual([])
        const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
        expect(await page.evaluate(wide)).toBe(0)
        await page.getByRole('button', { name: `Revoke: the token Reader ${look}` }).focus()
        await page.keyboard.press('Enter')
        await page.waitForURL(/done=token-revoked/)
        await page.context().close()
      }
    })

    test('the first page is there within a second, with less than 100 kB of script', async () => {
      // It is timed while nothing else keeps the processors busy: a page of one word is quick, before and after.
      const quietMs = 500
      const first = await vi.waitFor(
        async () => {
          const before = await loadedAt('/healthz')
          const measured = await loadedAt('/')
          const after = await loadedAt('/healthz')
          expect(Math.max(before.ms, after.ms), 'a page of one word').toBeLessThan(quietMs)
          return measured
        },
        { timeout: 55_000, interval: 500 },
      )
      expect(first.ms).toBeLessThan(1_000)
      expect(first.script).toBeLessThan(100_000)
    })
  },
)

/** The time until a page's content is there, for a browser that has not seen it before, and the bytes of its scripts. */
async function loadedAt(path: string): Promise<{ ms: number; script: number }> {
  const { page } = await openPage(browser())
  const scripts: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response.body())
  })
  await page.goto(at(path))
  const ms: unknown = await page.evaluate(
    "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd",
  )
  const bodies = await Promise.all(scripts)
  await page.context().close()
  return { ms: Number(ms), script: bodies.reduce((sum, { length }) => sum + length, 0) }
}
