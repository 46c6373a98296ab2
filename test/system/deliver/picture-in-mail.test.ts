import PostalMime from 'postal-mime'
import { expect, test, vi } from 'vitest'
import { createAlertFigures, createPictures } from '../../../src/app/figures.ts'
import { openEmail } from '../../../src/channels/email/channel.ts'
import { EmailSettings } from '../../../src/channels/email/config.ts'
import { pngOf } from '../../../src/message/chart/png.ts'
import { minuteMs } from '../../../src/platform/durations.ts'
import { MonitorClient } from '../../../src/service/client/client.ts'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { openArchive } from '../../support/archive.ts'
import { alert } from '../../support/fakes/events.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { accountOf } from '../../unit/channels/email/messages.ts'
import { start } from '../../unit/channels/email/setup.ts'
import { openDesk } from '../../unit/decide/accept/desk.ts'

test('a mail shows the chart of what its alert is about, and its text part says the same', {
  timeout: 60_000,
}, async () => {
  // The three seconds do not pass, however slow the machine.
  const clock = createManualClock(Date.UTC(2026, 10, 21, 13, 10))
  const sandbox = await startSandbox({ port: 0, seed: 7, clock })
  const smtp = await start()
  const settings = EmailSettings.parse({ name: 'mail', type: 'email', to: 'a@news.example', pictures: true })
  const channels = await openEmail(accountOf(smtp), [settings])
  const client = new MonitorClient({ baseUrl: sandbox.url, apiKey: 'sandbox-pro' })
  const read = openArchive(clock, client).reader({ freshMs: minuteMs, patienceMs: 3_000 })
  const picture = createPictures({
    figures: createAlertFigures({ read, rates: 'auto', clock }),
    draw: pngOf,
    clock,
    onNone: (_, why) => expect.fail(why),
  })
  const desk = await openDesk({ clock, real: channels, picture })
  await desk.take(alert())
  await vi.waitUntil(() => smtp.messages().length > 0, { timeout: 30_000, interval: 50 })
  const mail = await PostalMime.parse(smtp.messages()[0]?.raw ?? '')
  const [part] = mail.attachments
  const png = Buffer.from(part?.content as ArrayBuffer)
  expect([...png.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([800, 500])
  expect(mail.html).toContain(`src="cid:${part?.contentId?.replace(/^<|>$/g, '')}"`)
  expect(mail.text?.replaceAll(/\s+/g, ' ')).toMatch(
    /Chart: Claude: political prompts refused, percent per day, 24 Aug 2026 to 21 Nov 2026\. Before the change: \d+\.\d%, usually /,
  )
  await Promise.all([desk.stop(), ...channels.map((channel) => channel.close()), sandbox.close()])
})
