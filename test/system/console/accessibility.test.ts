import { describe, expect, test } from 'vitest'
import { findingsOf, noBrowser, openPage } from './browser.ts'
import { excessWidthOf, newsroomInBrowser, tabTo } from './newsroom-in-browser.ts'

const { browser, at } = newsroomInBrowser()

// Every page, in each look and size: test/night/console/accessibility.test.ts.
describe.skipIf(noBrowser !== undefined)(
  `in a browser${noBrowser === undefined ? '' : `: ${noBrowser}`}`,
  () => {
    test('axe finds nothing on the page of an alert, and it fits a phone', async () => {
      const { page, complaints } = await openPage(browser(), { size: 'phone' })
      await page.goto(at('/alerts/evt_week7'))
      expect(await findingsOf(page)).toEqual([])
      expect(await excessWidthOf(page)).toBe(0)
      expect(complaints).toEqual([])
      await page.context().close()
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
  },
)
