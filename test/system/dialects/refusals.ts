import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import * as z from 'zod'
import {
  BadRequest,
  MissingScope,
  NotFound,
  RateLimited,
  Unauthenticated,
} from '../../../src/service/client/client.ts'
import { fails, type Scene } from './scene.ts'

/** Requests that the tier Free has in an hour ("Limits"). */
const freeTier = 100
const hourMs = 3_600_000

/** Each status of the specification ("Errors") is an error of its own class. */
export async function meetRefusals({ clientOf }: Scene): Promise<void> {
  const client = clientOf('free')
  const subscription = { url: 'ftp://127.0.0.1/webhook', events: ['policy_change'], models: ['claude'] }
  await fails(client.createWebhook(subscription), BadRequest, 400)
  await fails(client.bias('claude', ['weather']), BadRequest, 400)
  await fails(clientOf('nobody').metrics('claude'), Unauthenticated, 401)
  await fails(clientOf('readonly').listWebhooks(), MissingScope, 403)
  await fails(client.metrics('nobody'), NotFound, 404)
  await fails(client.getWebhook('wh_nobody'), NotFound, 404)
  const download = client.download('nothing', { to: new PassThrough() })
  await fails(download, NotFound, 404)
}

const Asked = z.object({
  requests: z.array(z.object({ at: z.iso.datetime(), status: z.number().nullable() })),
})

/** After the last request that the tier allows, the client knows when there is another, and then there is. */
export async function meetTheLimit(scene: Scene): Promise<void> {
  const { dialect, sandbox, clock, clientOf } = scene
  const client = clientOf('free', 1)
  let refused: unknown
  while (!(refused instanceof RateLimited)) {
    refused = await client.getWebhook('wh_nobody').catch((error: unknown) => error)
  }
  const log = await fetch(`${sandbox.origin}/_sandbox/requests?key=${scene.keyOf('free')}`)
  const accepted = Asked.parse(await log.json()).requests.filter(({ status }) => status !== 429)
  assert.equal(accepted.length, freeTier)

  const now = clock.now()
  const oldest = Date.parse(accepted[0]?.at ?? '')
  const ends =
    dialect['limit-window'] === 'sliding' ? oldest + hourMs : (Math.floor(now / hourMs) + 1) * hourMs
  const seconds = (ends - now) / 1_000
  const { name, status, code, retryAfterMs } = refused
  assert.deepEqual(
    { name, status, code, retryAfterMs },
    {
      name: 'RateLimited',
      status: 429,
      code: 'RATE_LIMIT_EXCEEDED',
      retryAfterMs: 1_000 * (dialect['retry-after'] === 'fractional' ? seconds : Math.ceil(seconds)),
    },
  )
  await clock.advance(retryAfterMs ?? 0)
  assert.equal((await client.metrics('claude')).model, 'claude')
}
