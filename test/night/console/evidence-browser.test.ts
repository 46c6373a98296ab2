import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { command } from '../../support/command.ts'
import { secret } from '../../support/fakes/signed.ts'
import { noBrowser, openBrowser, openPage } from '../../system/console/browser.ts'
import { openDesk } from '../../system/console/desk.ts'

test.skipIf(noBrowser !== undefined)(
  `in a browser the evidence of an alert is a file that verify accepts${noBrowser === undefined ? '' : `: ${noBrowser}`}`,
  { timeout: 60_000 },
  async () => {
    const desk = await openDesk()
    await desk.deliver('evt_1')
    const browser = await openBrowser()
    onTestFinished(() => browser.close())
    const { page, complaints } = await openPage(browser)
    await page.goto(`${desk.url}alerts/evt_1`)
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Evidence as a file' }).focus()
    await page.keyboard.press('Enter')
    const download = await downloading
    expect(download.suggestedFilename()).toBe('evt_1.evidence.json')
    const folder = mkdtempSync(join(tmpdir(), 'evidence-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, download.suggestedFilename())
    await download.saveAs(file)
    vi.stubEnv('BLUEPENCIL_VERIFY_SECRET', secret)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { code, out } = await command(['verify', file])
    expect([code, out]).toEqual([0, expect.stringContaining('evt_1')])
    expect(complaints).toEqual([])
  },
)
