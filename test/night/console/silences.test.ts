import { describe, expect, test } from 'vitest'
import { dayMs } from '../../../src/platform/durations.ts'
import { findingsOf, noBrowser, openBrowser, openPage } from '../../system/console/browser.ts'
import { openDesk } from '../../system/console/desk.ts'

describe.skipIf(noBrowser !== undefined)(`in a browser${noBrowser ? `: ${noBrowser}` : ''}`, () => {
  test('Enter uses the date that somebody wrote, or asks for one; no key reaches a button that nobody sees', {
    timeout: 60_000,
  }, async () => {
    const desk = await openDesk()
    const browser = await openBrowser()
    try {
      const { page } = await openPage(browser)
      await page.goto(`${desk.url}silences`)
      expect(await findingsOf(page)).toEqual([])
      await page.getByLabel('Why').fill('a fault')
      await page.getByLabel('Why').press('Enter')
      await page.getByRole('alert').getByText('Choose when it ends').waitFor()
      const at = new Date(Date.now() + 5 * dayMs).toISOString().slice(0, 16)
      await page.getByLabel('Or until').fill(at)
      await page.getByLabel('Why').press('Enter')
      const end = page.locator('td[data-label="Until"] time')
      expect(await end.getAttribute('datetime')).toBe(`${at}:00.000Z`)
      await page.locator('main, #content').first().focus()
      for (let presses = 0; presses < 40; presses++) {
        await page.keyboard.press('Tab')
        expect(await page.evaluate("document.activeElement.matches('.unseen')")).toBe(false)
      }
    } finally {
      await browser.close()
    }
  })
})
