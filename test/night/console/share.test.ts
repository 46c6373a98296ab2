import { describe, expect, test } from 'vitest'
import { findingsOf, noBrowser, openPage } from '../../system/console/browser.ts'
import { excessWidthOf, newsroomInBrowser } from '../../system/console/newsroom-in-browser.ts'

const { browser, at } = newsroomInBrowser()
const alert = '/alerts/evt_week7'

async function open({ scripts = true, mayCopy = true } = {}) {
  const context = await browser().newContext({ javaScriptEnabled: scripts, acceptDownloads: true })
  if (mayCopy) await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
  await page.goto(at(alert))
  return { context, page, complaints }
}

describe.skipIf(noBrowser !== undefined)(`share and cite${noBrowser ? `: ${noBrowser}` : ''}`, () => {
  test('each part is copied by its button, and says so', async () => {
    const { context, page, complaints } = await open()
    for (const [label, expected] of [
      ['Link', /^http:\/\/127\.0\.0\.1:\d+\/console\/alerts\/evt_week7$/],
      ['Sentence', /^Claude refused 33% .*, up from 21% \(Censorship Monitoring Service, \d+ \w+ \d{4}, /],
      ['Citation (APA)', /^Censorship Monitoring Service\. \(\d{4}, \w+ \d+\)\. Censorship spike: Claude/],
    ] as const) {
      const button = page.getByRole('button', { name: `Copy: ${label}`, exact: true })
      await button.click()
      await button.locator('xpath=..').getByText('Copied').waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(expected)
    }
    await page.getByText('BibTeX and CSL JSON').click()
    await page.getByRole('button', { name: 'Copy: CSL JSON' }).click()
    const csl = JSON.parse(String(await page.evaluate('navigator.clipboard.readText()')))
    expect(csl).toMatchObject([{ author: [{ literal: 'Censorship Monitoring Service' }] }])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('the picture of the chart is copied as a picture', async () => {
    const { context, page, complaints } = await open()
    const button = page.getByRole('button', { name: 'Copy the picture' })
    await button.click()
    await button.locator('xpath=..').getByText('Copied').waitFor()
    expect(
      await page.evaluate('navigator.clipboard.read().then((items) => items.flatMap(({ types }) => types))'),
    ).toEqual(['image/png'])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('where a page has no clipboard, as without https, a field is copied all the same', async () => {
    const { context, page } = await open({ mayCopy: false })
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    const button = page.getByRole('button', { name: 'Copy: Link' })
    await button.click()
    await button.locator('xpath=..').getByText('Copied').waitFor()
    await page.getByRole('button', { name: 'Copy the picture' }).click()
    await expect.poll(() => page.getByText('Not copied: download it').isVisible()).toBe(true)
    await context.close()
  })

  test('without JavaScript there are no buttons to copy; fields can be selected, and files downloaded', async () => {
    const { context, page } = await open({ scripts: false })
    expect(await page.locator('.copy:visible').count()).toBe(0)
    expect(await page.getByRole('textbox', { name: 'Citation (APA)' }).inputValue()).toContain('Claude')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV of the points' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('bluepencil-evt_week7.csv')
    await context.close()
  })

  test('an address for a feed reader is made from the list and copied, by keyboard; axe finds nothing', async () => {
    const { page, complaints } = await openPage(browser(), { size: 'phone' })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(at('/alerts?model=claude'))
    await page.getByRole('button', { name: 'Follow in a feed reader: model claude' }).press('Enter')
    await page.getByRole('button', { name: 'Copy: Atom' }).press('Enter')
    await expect.poll(() => page.getByText('Copied').isVisible()).toBe(true)
    const address = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(await (await fetch(address)).text()).toContain(
      '<title type="text">Bluepencil: alerts (model claude)',
    )
    expect(await findingsOf(page)).toEqual([])
    expect(await excessWidthOf(page)).toBe(0)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('the page that verifies evidence runs as the console serves it, which needs no sign-in', async () => {
    const { page, complaints } = await openPage(browser())
    const answer = await page.goto(at('/verify.html'))
    expect(answer?.headers()['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[^;]+'; style-src 'sha256-[^;]+'; .*frame-ancestors 'none'$/,
    )
    const file = { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{}') }
    await page.setInputFiles('#file', file)
    await page.getByText('This is not an evidence file, or it has been changed:').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('axe finds nothing, open or folded, and it fits a phone', async () => {
    const { page } = await openPage(browser(), { size: 'phone' })
    await page.goto(at(alert))
    await page.getByText('BibTeX and CSL JSON').click()
    expect(await findingsOf(page)).toEqual([])
    expect(await excessWidthOf(page)).toBe(0)
    await page.context().close()
  })
})

test('the chart is a PNG, and a CSV with a row for each day that is drawn', async () => {
  const png = await fetch(at(`${alert}/chart.png`))
  expect(png.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await png.arrayBuffer()).subarray(1, 4)).toEqual(Buffer.from('PNG'))
  const csv = await fetch(at(`${alert}/chart.csv`))
  expect(csv.headers.get('content-type')).toMatch(/^text\/csv/)
  const [head, ...rows] = (await csv.text()).trimEnd().split('\r\n')
  expect(head).toBe('day,model,category,refused,refused95From,refused95To,prompts')
  expect(rows.length).toBeGreaterThan(60)
  for (const row of rows) expect(row).toMatch(/^\d{4}-\d\d-\d\d,Claude,political,[\d.]+,[\d.]+,[\d.]+,\d+$/)
  expect(rows).toEqual(rows.toSorted())
})
