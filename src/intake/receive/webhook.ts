import type { IRouter, Request } from 'express'
import { readDelivery } from '../../event/delivery.ts'
import type { AlertEvent, Evidence } from '../../event/event.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { send, type WebhookAnswer } from './answer.ts'
import { readBody } from './body.ts'
import { createKeyring } from './keyring.ts'
import { type PinnedForm, type SignatureForm, type VerifiedSignature, verify } from './signature.ts'

export interface WebhookOptions {
  path: string
  /** The signing secrets that are valid now; none while no subscription is known. */
  secrets(): readonly string[]
  pinned: PinnedForm
  remembered(secret: string): SignatureForm | undefined
  /** Called when a delivery verified by another form than was remembered for its secret. */
  remember(secret: string, form: SignatureForm): void
  /** Resolves when the event is on disk with its notifications. Rejects with `StoreUnavailable` if it is not. */
  accept(event: AlertEvent): Promise<'new' | 'duplicate'>
  clock: Clock
  onReceived(report: ReceivedDelivery): void
}

export interface ReceivedDelivery {
  outcome:
    | 'accepted'
    | 'duplicate'
    | 'unsigned'
    | 'forged'
    | 'too_large'
    | 'too_slow'
    | 'broken'
    | 'no_secret'
    | 'not_stored'
    | 'failed'
  eventId?: string
  /** From the end of the request's headers to the answer. */
  milliseconds: number
  error?: unknown
}

type WebhookResult = Omit<ReceivedDelivery, 'milliseconds'> & { answer: WebhookAnswer }

/** The header that carries the signature; what is assumed about it is in docs/internals/interface.md. */
const signatureHeader = 'X-Service-Signature'
/** What the service is asked to wait before it tries again. */
const retryAfter = { 'Retry-After': '5' }

const methodNotAllowed = refusal(405, 'METHOD_NOT_ALLOWED', 'Send deliveries with POST.', {
  Allow: 'POST',
})
const refusals = {
  unsigned: refusal(401, 'SIGNATURE_MISSING', `The header ${signatureHeader} is missing or empty.`),
  forged: refusal(
    401,
    'SIGNATURE_INVALID',
    `${signatureHeader} does not match this body with any of the signing secrets. If the sender is genuine: is its secret under webhook.secrets? Does webhook.signature set another form? Does a proxy change the body?`,
  ),
  too_large: refusal(413, 'BODY_TOO_LARGE', 'The body is larger than 256 KiB.'),
  too_slow: refusal(408, 'BODY_TOO_SLOW', 'The body did not arrive in full within 10 seconds.'),
  broken: refusal(
    400,
    'BODY_UNREADABLE',
    'The body did not arrive in full: the connection or its framing broke.',
  ),
  no_secret: refusal(
    503,
    'NO_SECRET',
    'There is no signing secret yet: there is no subscription, or webhook.secrets is empty. Try again later.',
    retryAfter,
  ),
} satisfies Partial<Record<ReceivedDelivery['outcome'], WebhookAnswer>>
const notStored = refusal(503, 'NOT_STORED', 'The event could not be stored. Try again later.', retryAfter)
const internal = refusal(500, 'INTERNAL', 'Something unexpected went wrong. Try again later.', retryAfter)

/** Receives the service's deliveries. A 2xx means that the event is on disk. Returns what adds the route to a router. */
export function webhook(options: WebhookOptions): (routes: IRouter) => void {
  const { clock } = options
  const { keysOf, fingerprintOf } = createKeyring()

  async function receive(request: Request, startedAt: number): Promise<WebhookResult> {
    const signature = request.get(signatureHeader)?.trim() ?? ''
    if (signature === '') return refused('unsigned')

    const body = await readBody(request, clock)
    if (body.result === 'too-large') return refused('too_large')
    if (body.result === 'too-slow') return refused('too_slow')
    if (body.result === 'broken') return refused('broken', body.error)

    const secrets = options.secrets()
    if (secrets.length === 0) return refused('no_secret')
    const verified = verify(body.bytes, signature, secrets, {
      pinned: options.pinned,
      remembered: options.remembered,
      keysOf,
    })
    if (verified === null) return refused('forged')
    rememberForm(verified)

    const evidence = evidenceOf(request, verified, fingerprintOf(verified.secret))
    return accept(readDelivery(body.bytes, { source: 'webhook', receivedAt: isoTime(startedAt), evidence }))
  }

  async function accept(event: AlertEvent): Promise<WebhookResult> {
    const { id } = event
    try {
      const verdict = await options.accept(event)
      return verdict === 'new'
        ? { outcome: 'accepted', eventId: id, answer: { status: 202, body: { status: 'accepted', id } } }
        : { outcome: 'duplicate', eventId: id, answer: { status: 200, body: { status: 'duplicate', id } } }
    } catch (error) {
      if (error instanceof StoreUnavailable)
        return { outcome: 'not_stored', eventId: id, error, answer: notStored }
      return { outcome: 'failed', eventId: id, error, answer: internal }
    }
  }

  function rememberForm({ secret, form }: VerifiedSignature): void {
    const before = options.remembered(secret)
    if (before?.hash === form.hash && before.encoding === form.encoding && before.key === form.key) return
    options.remember(secret, form)
  }

  return (routes) => {
    routes.post(options.path, async (request, response) => {
      const startedAt = clock.now()
      const { answer, ...report } = await receive(request, startedAt).catch(
        (error: unknown): WebhookResult => ({ outcome: 'failed', error, answer: internal }),
      )
      const sent = send(request, response, answer, clock)
      options.onReceived({ ...report, milliseconds: clock.now() - startedAt })
      await sent
    })
    routes.all(options.path, (request, response) => send(request, response, methodNotAllowed, clock))
  }
}

/** Headers that say who sent the body and how it is signed. */
const evidenceHeaders = [signatureHeader.toLowerCase(), 'content-type', 'user-agent', 'date']

function evidenceOf({ headers }: Request, { form }: VerifiedSignature, secret: string): Evidence {
  const kept: Evidence['headers'] = {}
  for (const name of evidenceHeaders) {
    const value = headers[name]
    if (typeof value === 'string') kept[name] = value
  }
  return { headers: kept, form, secret }
}

function refused(outcome: keyof typeof refusals, error?: unknown): WebhookResult {
  return { outcome, answer: refusals[outcome], ...(error === undefined ? {} : { error }) }
}

function refusal(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): WebhookAnswer {
  return { status, headers, body: { error: { code, message } } }
}
