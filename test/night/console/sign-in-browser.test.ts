import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenIdProvider, startOpenIdProvider } from '../../support/fakes/openid-provider.ts'
import { findingsOf, noBrowser, openBrowser, openPage } from '../../system/console/browser.ts'
import { type Desk, openDesk } from '../../system/console/desk.ts'
import { callbackOf, oidcOf } from '../../system/console/oidc-desk.ts'
import { quickHashOf } from '../../system/console/quick-hash.ts'

const ends: (() => Promise<void>)[] = []
let browser: Browser
let provider: OpenIdProvider
let desk: Desk

beforeAll(async () => {
  if (noBrowser !== undefined) return
  provider = await startOpenIdProvider()
  ends.push(() => provider.close())
  const users = [{ name: 'zoe', password: await quickHashOf('a password of zoe'), role: 'reader' }]
  desk = await openDesk(
    { console: { users, oidc: oidcOf(provider) } },
    { closing: (end) => void ends.push(end) },
  )
  provider.trust([callbackOf(desk)])
  browser = await openBrowser()
  ends.push(() => browser.close())
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

const button = { name: 'Sign in with the desk’s account' }

/** From the console's page to the provider, and in there. */
async function signInAs(page: Page, who: string): Promise<void> {
  await page.getByRole('link', button).focus()
  await page.keyboard.press('Enter')
  await page.getByPlaceholder('Enter any login').fill(who)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

describe.skipIf(noBrowser !== undefined)(
  `in a browser${noBrowser === undefined ? '' : `: ${noBrowser}`}`,
  () => {
    test.each([
      ['light', 'desk'],
      ['dark', 'phone'],
    ] as const)(
      'somebody signs in with the keyboard and their account, and out again, and axe finds nothing, %s, %s',
      { timeout: 60_000 },
      async (look, size) => {
        const { page, complaints } = await openPage(browser, { look, size })
        await page.route(
          (url) => url.hostname !== '127.0.0.1',
          (route) => route.abort(),
        )
        await page.goto(`${desk.url}silences`)
        expect(await findingsOf(page)).toEqual([])
        expect(await page.locator('#password').count()).toBe(1)
        await signInAs(page, 'ben')
        await page.waitForURL(`${desk.url}silences`)
        expect(await page.locator('.who span').first().textContent()).toBe('ben@desk.example, editor')
        if (size === 'phone') await page.getByText('Menu', { exact: true }).click()
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByRole('status').waitFor()
        await page.goto(desk.url)
        expect(await page.getByRole('link', button).count()).toBe(1)
        expect(complaints.filter((one) => one.includes('Content Security Policy'))).toEqual([])
        await page.context().close()
      },
    )

    test.each([
      ['light', 'mallory', /you have no role here/],
      ['dark', undefined, /You cancelled the sign-in/],
    ] as const)(
      'why somebody was not signed in stands there, and axe finds nothing, %s, %s',
      {
        timeout: 60_000,
      },
      async (look, who, said) => {
        const { page } = await openPage(browser, { look })
        await page.route(
          (url) => url.hostname !== '127.0.0.1',
          (route) => route.abort(),
        )
        await page.goto(desk.url)
        await (who === undefined ? cancel(page) : signInAs(page, who))
        await page.getByRole('alert').waitFor()
        expect(await page.getByRole('alert').textContent()).toMatch(said)
        expect(page.url()).not.toMatch(/code=|state=/)
        expect(await findingsOf(page)).toEqual([])
        await page.context().close()
      },
    )
  },
)

async function cancel(page: Page): Promise<void> {
  await page.getByRole('link', button).click()
  await page.getByText('Cancel').click()
}
