import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyPage } from '../../../pack/verify-page/build.ts'
import { verify } from '../../../src/commands/verify.ts'
import { type EvidenceFile, members, textOf } from '../../../src/record/evidence/file.ts'
import { findingsOf, noBrowser, openBrowser, openPage, sizes } from '../../system/console/browser.ts'
import { chained } from '../../unit/record/evidence/scene.ts'

const committed = 'src/console/verify.html'

test('the page is made of the code as it is: else run npm run verify-page', { timeout: 60_000 }, async () => {
  expect((await verifyPage()) === readFileSync(committed, 'utf8')).toBe(true)
})

const ones = '1'.repeat(64)
/** For each member of a file what somebody may have made of it. */
const damages: Record<string, (file: EvidenceFile) => unknown> = {
  format: (file) => ({ ...file, format: 'bluepencil-evidenze' }),
  version: (file) => ({ ...file, version: 2 }),
  made: (file) => ({ ...file, made: { ...file.made, at: '2026-11-23T03:00:00.001Z' } }),
  id: (file) => ({ ...file, id: 'evt_3' }),
  received: (file) => ({ ...file, received: '2026-11-21T13:05:03.000Z' }),
  way: (file) => ({ ...file, way: 'list' }),
  headers: (file) => ({ ...file, headers: { ...file.headers, date: 'today' } }),
  signature: (file) => ({ ...file, signature: null }),
  body: (file) => ({ ...file, body: 'e30=' }),
  sent: (file) => ({ ...file, sent: { ...file.sent, outcomes: [] } }),
  link: (file) => ({ ...file, link: { ...file.link, body: ones } }),
  batch: (file) => ({ ...file, batch: { links: [ones] } }),
  chain: (file) => ({ ...file, chain: { ...file.chain, previous: ones } }),
}

test('each of the thirteen members of a file is damaged', () => {
  expect(Object.keys(damages)).toEqual(members)
  expect(members).toHaveLength(13)
})

describe.skipIf(noBrowser !== undefined)(
  `in a browser without a network${noBrowser ? `: ${noBrowser}` : ''}`,
  () => {
    let browser: Browser
    let page: Page
    let complaints: string[]
    let whole: string
    let folder: string
    const requests: string[] = []
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'verify-'))
      whole = await (await chained()).evidence()
      browser = await openBrowser()
      ;({ page, complaints } = await openPage(browser))
      await page.context().setOffline(true)
      page.on('request', (request) => void requests.push(request.url()))
      await page.goto(pathToFileURL(committed).href)
    }, 60_000)
    afterAll(async () => {
      await browser?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    /** What `bluepencil verify` says of the file, a line each. */
    async function saidByCommand(
      content: string | Uint8Array,
      options = {},
    ): Promise<{ lines: string[]; path: string }> {
      const path = join(folder, 'evt_2.evidence.json')
      writeFileSync(path, content)
      const texts: string[] = []
      await verify(path, options, { out: (text: string) => void texts.push(text) } as never)
      return {
        lines: texts
          .join('')
          .trimEnd()
          .split('\n')
          .map((line) => line.trim()),
        path,
      }
    }

    async function saidByPage(path: string): Promise<string[]> {
      await page.evaluate("document.getElementById('results').replaceChildren()")
      await page.setInputFiles('#file', path)
      await page.locator('#results section').waitFor()
      return await page.locator('#results :is(.verdict, li, .note)').allTextContents()
    }

    test.each(Object.entries(damages))(
      'a file with another %s is named as the command names it',
      async (part, damage) => {
        const { lines, path } = await saidByCommand(textOf(damage(JSON.parse(whole) as EvidenceFile)))
        const named = await saidByPage(path)
        expect(named).toEqual(lines)
        expect(named[0]).toMatch(/has been changed:$/)
        expect(named.slice(1).some((line) => line.startsWith(`${part}: `))).toBe(true)
      },
    )

    test.each<[string, (text: string) => string | Uint8Array]>([
      ['that is cut off', (text) => text.slice(0, 900)],
      ['that is no JSON', () => 'Dear reader'],
      ['that is empty', () => ''],
      [
        'with a byte that is no UTF-8',
        (text) => Buffer.from(text.replace('"webhook"', '"web\u00e9"'), 'latin1'),
      ],
      ['written otherwise', (text) => text.replace('"way": "', '"way":  "')],
      ['with a member of somebody’s', (text) => text.replace('"body"', '"<img src=x onerror=alert(1)>"')],
    ])('a file %s too', async (_, damage) => {
      const { lines, path } = await saidByCommand(damage(whole))
      expect(await saidByPage(path)).toEqual(lines)
    })

    test('a file that is whole is said to be, with what it shows; a published head is compared', async () => {
      const { lines, path } = await saidByCommand(whole)
      const plain = (all: string[]) => all.filter((line) => !/secret|published/.test(line))
      expect(plain(await saidByPage(path))).toEqual(plain(lines))
      expect(lines[0]).toMatch(/^This file is whole: evt_2, received /)
      await page.fill('#head', (JSON.parse(whole) as EvidenceFile).chain.heads.at(-1)?.head ?? '')
      expect(await saidByPage(path)).toContain('The head that you gave covers this event.')
      await page.fill('#head', ones)
      expect(await saidByPage(path)).toEqual((await saidByCommand(whole, { head: ones })).lines)
      await page.fill('#head', '')
    })

    test('a file is dropped on the page', async () => {
      await page.evaluate(`{
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([${JSON.stringify(whole)}], 'dropped.json'))
      document.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }`)
      await expect.poll(() => page.getByText('dropped.json').count()).toBe(1)
    })

    test('axe finds nothing, it fits a phone, and it asks nobody for anything', async () => {
      expect(await findingsOf(page)).toEqual([])
      await page.setViewportSize(sizes.narrow)
      expect(
        await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
      ).toBe(0)
      expect(requests).toEqual([pathToFileURL(committed).href])
      expect(complaints).toEqual([])
    })
  },
)
