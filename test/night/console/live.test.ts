import { expect, test, vi } from 'vitest'
import { noBrowser, openBrowser, openPage } from '../../system/console/browser.ts'
import { openDesk } from '../../system/console/desk.ts'

test.skipIf(noBrowser !== undefined)(
  `a page in a browser shows what has come by itself, but not while somebody writes${noBrowser === undefined ? '' : `: ${noBrowser}`}`,
  { timeout: 60_000 },
  async () => {
    const desk = await openDesk()
    const browser = await openBrowser()
    try {
      const { page, complaints } = await openPage(browser)
      const rowOf = (id: string) => page.locator(`a.headline[href$="/alerts/${id}"]`)
      await page.goto(`${desk.url}alerts`)
      await desk.deliver('evt_1')
      await rowOf('evt_1').waitFor()
      await page.getByLabel('Search').fill('half a wo')
      await desk.deliver('evt_2', { model: 'gemini' })
      await vi.waitUntil(async () => (await desk.visitor().see('/alerts')).html.includes('evt_2'))
      await page.waitForTimeout(1_500)
      expect(await rowOf('evt_2').count()).toBe(0)
      expect(await page.getByLabel('Search').inputValue()).toBe('half a wo')
      await page.getByLabel('Search').fill('')
      await page.getByLabel('Search').blur()
      await rowOf('evt_2').waitFor()
      expect(complaints).toEqual([])
    } finally {
      await browser.close()
    }
  },
)
