import { expect, test } from 'vitest'
import * as z from 'zod'
import { hourMs, minuteMs } from '../../../src/platform/durations.ts'
import { configOf } from '../../support/app.ts'
import { handedBaseUrl, handService, jsonAnswer } from '../../support/fakes/handed-service.ts'
import { openOffice } from '../../support/office.ts'

const Ready = z.object({
  status: z.string(),
  polling: z.object({ nextLook: z.string(), lastSuccess: z.string().nullable() }),
})

/** The service asks for a pause like this one when it is first asked, and is well when the minute is over. */
async function openOfficeWhoseServiceAsks(status: number, headers: Record<string, string>, body: object) {
  const service = handService(({ path, query }) => {
    if (office.clock.now() <= begun + minuteMs) return jsonAnswer(body, { status, headers })
    if (path !== '/monitoring/compare') return jsonAnswer({ error: { code: 'NOT_FOUND' } }, { status: 404 })
    return jsonAnswer({ models: query.get('models')?.split(',').map(metricsOf) })
  })
  const office = openOffice()
  const begun = office.clock.now()
  const app = await office.start(
    configOf([{ name: 'desk', type: 'console' }], {
      monitor: { baseUrl: handedBaseUrl, apiKey: 'key', tier: 'pro' },
      polling: { mode: 'always' },
    }),
  )
  return {
    ...office,
    service,
    app,
    async ready() {
      const { status, body } = await office.http.ask(app.port, { method: 'GET', url: '/readyz' })
      expect(status).toBe(200)
      return Ready.parse(JSON.parse(body))
    },
    async pass(milliseconds: number) {
      for (let passed = 0; passed < milliseconds; passed += minuteMs) {
        await office.clock.advance(minuteMs)
        await service.settled()
      }
    },
  }
}

function metricsOf(model: string) {
  return { model, metrics: { overall_refusal_rate: 0.12 }, last_updated: '2026-11-21T12:00:00Z' }
}

test.each([
  { what: '429 with an hour in milliseconds', status: 429, headers: { 'retry-after': '3600000' }, body: {} },
  {
    what: '503 with a date of the year 9999',
    status: 503,
    headers: { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' },
    body: {},
  },
  { what: '429 with 1e300 seconds', status: 429, headers: {}, body: { error: { retry_after: 1e300 } } },
  { what: '503 with 1e300 seconds', status: 503, headers: { 'retry-after': '1e300' }, body: {} },
])(
  '$what: operators are alerted at once, and polling goes on within the hour',
  async ({ status, headers, body }) => {
    const office = await openOfficeWhoseServiceAsks(status, headers, body)
    await office.pass(minuteMs)
    expect(office.service.asked.length).toBeLessThanOrEqual(2)
    const paused = await office.ready()
    expect(paused.status).toBe('degraded')
    expect(Date.parse(paused.polling.nextLook) - office.clock.now()).toBeLessThanOrEqual(hourMs)
    expect(office.alerts()).toEqual(['The published figures cannot be read'])

    await office.pass(hourMs)
    const well = await office.ready()
    expect(well).toMatchObject({ status: 'ready', polling: { lastSuccess: expect.any(String) } })
    expect(office.alerts()).toEqual([
      'The published figures cannot be read',
      'The published figures can be read again',
    ])
    await office.passing(office.app.stop())
  },
)
