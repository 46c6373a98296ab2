import { describe, expect, test } from 'vitest'
import { findingsOf, noBrowser, openPage } from './browser.ts'
import { excessWidthOf, newsroomInBrowser } from './newsroom-in-browser.ts'

const { browser, at } = newsroomInBrowser()

// Every page, in each look and size, and with the keyboard alone: test/night/console/accessibility.test.ts.
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
  },
)
