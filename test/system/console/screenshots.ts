// Writes the pictures of docs/console: the pages in light, in dark and on a phone.
import { mkdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { noBrowser, openBrowser, openPage } from './browser.ts'
import { actAt, openNewsroom } from './newsroom.ts'

if (noBrowser !== undefined) throw new Error(noBrowser)
const folder = process.argv[2] ?? 'docs/console'
const ends: (() => Promise<void>)[] = []
mkdirSync(folder, { recursive: true })
const newsroom = await openNewsroom((end) => void ends.push(end))
await actAt(newsroom.visitor())
const browser = await openBrowser()
const pages = {
  overview: '/',
  alerts: '/alerts',
  alert: newsroom.alertPath,
  models: '/models?category=political',
  model: '/models?category=political#claude',
  channels: '/channels',
  filters: '/channels/politics/filters',
  silences: '/silences',
  failed: '/failed',
  configuration: '/configuration',
  tokens: '/tokens',
  dictionary: '/dictionary',
  data: '/figures',
  log: '/log',
}
const looks = {
  light: { look: 'light' },
  dark: { look: 'dark' },
  phone: { look: 'light', size: 'phone' },
} as const
const isDrawn =
  '[...document.images].every((one) => one.complete || one.getBoundingClientRect().top > innerHeight)'
for (const [look, how] of Object.entries(looks)) {
  const { page } = await openPage(browser, how)
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(`${newsroom.url.replace(/\/$/, '')}${path}`, { waitUntil: 'load' })
    while ((await page.evaluate(isDrawn)) !== true) await delay(50)
    await page.screenshot({ path: `${folder}/${name}-${look}.png`, fullPage: false })
  }
  await page.goto(`${newsroom.url.replace(/\/$/, '')}${pages.filters}`)
  await page.getByLabel('Smallest change, in percentage points').fill('9')
  await page.getByRole('button', { name: 'Show what would change' }).click()
  await page.screenshot({ path: `${folder}/filters-tried-${look}.png`, fullPage: false })
}
await browser.close()
for (const end of ends.toReversed()) await end()
