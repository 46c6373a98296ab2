import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'

const executablePath = '/usr/bin/chromium'

/** Why nothing is tried in a browser here, or undefined where there is one. `.ci/run` installs it. */
export const noBrowser = existsSync(executablePath)
  ? undefined
  : `there is no browser at ${executablePath} (apt-get install chromium)`

export type Look = 'light' | 'dark'

export const sizes = {
  desk: { width: 1000, height: 800 },
  phone: { width: 390, height: 780 },
  narrow: { width: 320, height: 640 },
}

export function openBrowser(): Promise<Browser> {
  const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync']
  const alone = ['--disable-background-networking', '--disable-component-update']
  return chromium.launch({ executablePath, args: [...quiet, ...alone] })
}

/** A page of a browser of its own, and what its console complained of: what the policy of the page forbids, too. */
export async function openPage(
  browser: Browser,
  { look = 'light', size = 'desk' }: { look?: Look; size?: keyof typeof sizes } = {},
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({
    colorScheme: look,
    viewport: sizes[size],
    timezoneId: 'UTC',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
}

/** What axe finds by the rules of WCAG 2.2 AA and its own good practices. Its script goes past the policy of the page. */
export async function findingsOf(page: Page): Promise<string[]> {
  // What a test waited for may stand there before the style sheet does.
  await page.waitForLoadState()
  const isThere = await page.evaluate("typeof axe === 'object'")
  if (isThere !== true) await page.evaluate(axe.source)
  const violations: unknown =
    await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`)
  return violations as string[]
}
