import { verifySlackRequest } from '@slack/bolt'
import type { Receive, ReceiveParts, SignedAnswer, SignedRequest } from '../interaction.ts'
import type { Replays } from '../replays.ts'
import { createSlackApp } from './app.ts'
import type { SlackAccount } from './config.ts'

/**
 * What Slack posts to the app: Bolt verifies the signature of the raw body and that it is not too old. Beside that, a time
 * that is too far ahead is refused here, and a request that was here before.
 */
export function receiveSlack(
  account: SlackAccount & { signingSecret: string },
  parts: ReceiveParts,
): Receive {
  const app = createSlackApp(account, { init() {}, start: async () => {}, stop: async () => {} }, parts)

  return async (request) => {
    if (!(await isSigned(request, account.signingSecret, parts.replays))) return refused
    const form = new URLSearchParams(request.body.toString('utf8'))
    if (form.has('ssl_check')) return { status: 200 }
    const event = eventFrom(form)
    if (event === undefined) return { status: 400 }
    const acknowledged = Promise.withResolvers<SignedAnswer>()
    const ack = async (answer?: unknown) =>
      acknowledged.resolve({ status: 200, ...(isAnswer(answer) && { body: answer }) })
    // Bolt calls `ack` from the listener that handles the request. If none does, the request is of no kind that we handle: 404.
    const processed = app.processEvent({ body: event, ack }).then(
      (): SignedAnswer => ({ status: 404 }),
      (error: unknown): SignedAnswer => {
        parts.onError(error)
        return { status: 500 }
      },
    )
    return Promise.race([acknowledged.promise, processed])
  }
}

const refused: SignedAnswer = {
  status: 401,
  body: { error: { code: 'SIGNATURE_INVALID', message: 'Slack did not sign this, or not now.' } },
}

async function isSigned(
  { body, header, at }: SignedRequest,
  signingSecret: string,
  replays: Replays,
): Promise<boolean> {
  const signature = header('x-slack-signature') ?? ''
  const signedAt = header('x-slack-request-timestamp') ?? ''
  // Bolt lets anything follow the hash, and another text would be no replay.
  if (!/^v0=[0-9a-f]{64}$/.test(signature)) return false
  const headers = { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(signedAt) }
  try {
    // The signature is over bytes: text that is no UTF-8 has another, and is refused.
    verifySlackRequest({ signingSecret, headers, body: body.toString('utf8'), nowMilliseconds: at })
  } catch {
    return false
  }
  return replays.isFirst(signature, signedAt, at)
}

/** Clicks and forms are JSON in a field; a command's own fields are the body. */
function eventFrom(form: URLSearchParams): Record<string, unknown> | undefined {
  const payload = form.get('payload')
  if (payload === null) return form.has('command') ? Object.fromEntries(form) : undefined
  try {
    const event: unknown = JSON.parse(payload)
    return typeof event === 'object' && event !== null ? { ...event } : undefined
  } catch {
    return undefined
  }
}

function isAnswer(answer: unknown): answer is object {
  return typeof answer === 'object' && answer !== null
}
