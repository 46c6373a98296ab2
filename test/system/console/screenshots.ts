// Writes the pictures of docs/console: the pages in light, in dark and on a phone. Arguments: another folder, and names to write only these.
import { mkdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { noBrowser, openBrowser, openPage } from './browser.ts'
import { actAt, openNewsroom } from './newsroom.ts'
import { openSetUp } from './set-up-desk.ts'

if (noBrowser !== undefined) throw new Error(noBrowser)
const [folder = 'docs/console', ...only] = process.argv.slice(2)
const ends: (() => Promise<void>)[] = []
mkdirSync(folder, { recursive: true })
const looks = {
  light: { look: 'light' },
  dark: { look: 'dark' },
  phone: { look: 'light', size: 'phone' },
} as const
type LookName = keyof typeof looks
const browser = await openBrowser()
const isWanted = (name: string) => only.length === 0 || only.includes(name)
const isDrawn =
  '[...document.images].every((one) => one.complete || one.getBoundingClientRect().top > innerHeight)'

async function save(page: Page, name: string, look: LookName): Promise<void> {
  while ((await page.evaluate(isDrawn)) !== true) await delay(50)
  await page.screenshot({ path: `${folder}/${name}-${look}.png`, fullPage: false })
}

/** Each page in each look. Visitors have signed in if there are cookies. */
async function picture(
  url: string,
  pages: Record<string, string>,
  cookies: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const names = Object.keys(pages).filter(isWanted)
  for (const look of Object.keys(looks) as LookName[]) {
    const { page } = await openPage(browser, looks[look])
    await page.context().addCookies(Array.from(cookies, ([name, value]) => ({ name, value, url })))
    for (const name of names) {
      await page.goto(`${url.replace(/\/$/, '')}${pages[name]}`, { waitUntil: 'load' })
      await save(page, name, look)
    }
    await page.context().close()
  }
}

async function pictureTrial(url: string): Promise<void> {
  const name = 'filters-tried'
  if (!isWanted(name)) return
  for (const look of Object.keys(looks) as LookName[]) {
    const { page } = await openPage(browser, looks[look])
    await page.goto(`${url.replace(/\/$/, '')}/channels/politics/filters`)
    await page.getByLabel('Smallest change, in percentage points').fill('9')
    await page.getByRole('button', { name: 'Show what would change' }).click()
    await save(page, name, look)
    await page.context().close()
  }
}

const newsroom = await openNewsroom((end) => void ends.push(end))
await actAt(newsroom.visitor())
await picture(newsroom.url, {
  overview: '/',
  alerts: '/alerts',
  alert: newsroom.alertPath,
  attempts: `${newsroom.failedPath}#channels`,
  models: '/models?category=political',
  model: '/models?category=political#claude',
  channels: '/channels',
  filters: '/channels/politics/filters',
  silences: '/silences',
  failed: '/failed',
  feeds: '/feeds',
  configuration: '/configuration',
  tokens: '/tokens',
  dictionary: '/dictionary',
  data: '/figures',
  log: '/log',
})
await pictureTrial(newsroom.url)

const installation = await openSetUp((end) => void ends.push(end))
await picture(installation.url, { 'set-up': '/setup' })
const admin = await installation.finish()
await picture(
  installation.url,
  {
    'set-up-steps': '/setup/steps',
    'set-up-channel': '/setup/channel?kind=slack-webhook',
    'set-up-service': '/setup/service',
    settings: '/settings',
    'settings-service': '/settings/service',
    'settings-channels': '/settings/channels',
    'settings-channel': '/settings/channels/slack',
    people: '/settings/people',
  },
  admin.cookies,
)
await picture(installation.url, { 'sign-in': '/sign-in' })
await browser.close()
for (const end of ends.toReversed()) await end()
