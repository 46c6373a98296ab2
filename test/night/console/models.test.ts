import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { noBrowser, openBrowser, openPage } from '../../system/console/browser.ts'
import { modelsDesk } from '../../system/console/models-desk.ts'

const { closing, openService, deskWith } = modelsDesk()

describe.skipIf(noBrowser !== undefined)(
  `in a browser${noBrowser === undefined ? '' : `: ${noBrowser}`}`,
  () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await openBrowser()
      closing(() => browser.close())
    })

    test('somebody chooses a category without a script, sees every chart drawn, and follows a change to its page', {
      timeout: 60_000,
    }, async () => {
      const desk = await deskWith({ baseUrl: await openService() })
      await desk.deliver('evt_1')
      const visitor = desk.visitor()
      await vi.waitUntil(async () => (await visitor.see('/alerts')).html.includes('evt_1'))
      const { page, complaints } = await openPage(browser)
      await page.goto(desk.url)
      await page.getByRole('link', { name: 'Models' }).click()
      await page.getByLabel('Prompts').selectOption('political')
      await page.getByRole('button', { name: 'Show' }).click()
      await page.waitForURL(/category=political/)
      for (const image of await page.getByRole('img').all()) await image.scrollIntoViewIfNeeded()
      await vi.waitUntil(async () =>
        page.evaluate('[...document.images].every((one) => one.complete && one.naturalWidth > 0)'),
      )
      expect(await page.getByRole('img').count()).toBe(6)
      await page
        .getByRole('link', { name: 'Claude’s refusal rate on political prompts rose 12 points' })
        .click()
      await page.waitForURL(/alerts\/evt_1/)
      expect(complaints).toEqual([])
      await page.context().close()
    })
  },
)
