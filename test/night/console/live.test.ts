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
      const [{ page, complaints }, { page: other }] = [await openPage(browser), await openPage(browser)]
      const rowOf = (id: string, at = page) => at.locator(`a.headline[href$="/alerts/${id}"]`)
      for (const opened of [page, other]) await opened.goto(`${desk.url}alerts`)
      await desk.deliver('evt_1')
      await rowOf('evt_1').waitFor()
      await page.getByLabel('Search').fill('half a wo')
      // This page would have shown the first before the other has shown the last.
      for (const [id, model] of [
        ['evt_2', 'gemini'],
        ['evt_3', 'qwen'],
        ['evt_4', 'mistral'],
      ] as const) {
        await desk.deliver(id, { model })
        await rowOf(id, other).waitFor()
      }
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

test.skipIf(noBrowser !== undefined)(
  `a page in a browser keeps what somebody typed, also if the field is left${noBrowser ? `: ${noBrowser}` : ''}`,
  { timeout: 60_000 },
  async () => {
    const desk = await openDesk()
    await desk.deliver('evt_1')
    const visitor = desk.visitor()
    await vi.waitUntil(async () => (await visitor.see('/alerts/evt_1')).status === 200)
    const browser = await openBrowser()
    try {
      const [{ page: typed }, { page: other }] = [await openPage(browser), await openPage(browser)]
      for (const page of [typed, other]) await page.goto(`${desk.url}alerts/evt_1`)
      const story = typed.getByLabel('Address of the published story')
      await typed.getByText('We published a story').click()
      await story.fill('https://news.example/half')
      await typed.locator('h1').click()
      // When the other page has shown the last of these, this one would have shown the first.
      for (const [state, shown] of [
        ['checking', 'is checking it, since'],
        ['new', 'New: nobody is checking it yet.'],
        ['checking', 'is checking it, since'],
      ] as const) {
        await visitor.submit('/alerts/evt_1', '/alerts/evt_1/desk', { state })
        await other.getByText(shown).waitFor()
      }
      expect(await story.inputValue()).toBe('https://news.example/half')
      await story.fill('')
      await typed.locator('h1').click()
      await typed.getByText('is checking it, since').waitFor()
    } finally {
      await browser.close()
    }
  },
)
