import { describe, expect, test } from 'vitest'
import { noBrowser, openBrowser, openPage } from '../../system/console/browser.ts'
import { hostileDesk, queries } from '../../system/console/hostile-desk.ts'
import { harmful, markupThatRuns } from '../../system/console/markup.ts'
import { nasty } from '../../system/security/texts.ts'

const desk = hostileDesk()

describe('what an address says is text and no markup', () => {
  test.each(queries)('in ?%s=', async (name) => {
    const visitor = desk().visitor()
    for (const path of ['/alerts', '/models', '/silences', '/sign-in']) {
      for (const text of [harmful(name), ...nasty.filter(({ length }) => length < 1_000)]) {
        const { status, html } = await visitor.see(
          `${path}?${name}=${encodeURIComponent(text.toWellFormed())}`,
        )
        expect(status).toBeLessThan(400)
        expect(markupThatRuns(html)).toEqual([])
      }
    }
  })
})

test.skipIf(noBrowser !== undefined)(
  `in a browser none of it runs${noBrowser === undefined ? '' : `: ${noBrowser}`}`,
  { timeout: 60_000 },
  async () => {
    const browser = await openBrowser()
    try {
      const { page, complaints } = await openPage(browser)
      const ran: string[] = []
      await page.exposeFunction('ran', (where: string) => void ran.push(where))
      const query = encodeURIComponent(harmful('query'))
      const paths = [
        '',
        'alerts',
        'alerts/evt_nasty0',
        `alerts?words=${query}&model=${query}&done=${query}`,
        `silences?why=${query}&until=${query}&model=${query}&category=${query}`,
        'log',
        'alerts/evt_nasty0/chart',
        'alerts/evt_nasty0/chart-light.svg',
      ]
      for (const path of paths) {
        await page.goto(`${desk().url}${path}`)
        for (const details of await page.locator('details').all())
          await details.evaluate((one) => one.setAttribute('open', ''))
      }
      expect(ran).toEqual([])
      // Nothing even tried to.
      expect(complaints.filter((one) => one.includes('Content Security Policy'))).toEqual([])
    } finally {
      await browser.close()
    }
  },
)
