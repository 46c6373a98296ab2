import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

export const secret = 'whsec_signs_while_it_is_killed'

/** An event as the service delivers it. */
export interface Fired {
  id: string
  model: string
  /** ISO 8601; when it is first delivered, unless given. */
  detectedAt?: string
}

/** What the service says of it. */
export function payloadOf({ id, model, detectedAt = new Date().toISOString() }: Fired) {
  const data = { category: 'political', delta: '+12pp', detected_at: detectedAt }
  return { id, type: 'censorship_spike', model, data, methodology: 'https://monitor.example/methodology' }
}

/** The monitoring service, as far as it delivers: it signs, and tries each delivery again until it is answered 2xx. */
export interface Sender {
  /** Delivers all of them, so many at a time; an event that stands there twice is delivered twice. */
  send(events: readonly Fired[], width: number): Promise<void>
  /** 2xx answers, by event. */
  answers: Map<string, number[]>
  /** Answers and broken connections that made it try again. */
  failures(): number
}

/** Waits between two tries of one delivery, in milliseconds. Shorter than any service's, so that a kill is met soon. */
const firstDelayMs = 20
const longestDelayMs = 160
const answerWithinMs = 10_000
/** No service is away for so long in a test: to go on would only hide what it said. */
const acceptedWithinMs = 120_000

/** `url`: of one of the processes, if there are several; called anew for each try. */
export function createSender(url: () => string, random: () => number, onAnswer: () => void): Sender {
  const answers = new Map<string, number[]>()
  let failures = 0

  /** A delivery that comes again is the same, to the byte. */
  const bodies = new Map<string, string>()

  function bodyOf(event: Fired): string {
    const body = bodies.get(event.id) ?? JSON.stringify(payloadOf(event))
    bodies.set(event.id, body)
    return body
  }

  async function deliver(event: Fired): Promise<void> {
    const { id } = event
    const body = bodyOf(event)
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const deadline = performance.now() + acceptedWithinMs
    for (let delay = firstDelayMs; ; delay = Math.min(2 * delay, longestDelayMs)) {
      const status = await post(body, signature)
      if (status !== undefined && status >= 200 && status < 300) {
        answers.set(id, [...(answers.get(id) ?? []), status])
        onAnswer()
        return
      }
      failures += 1
      if (performance.now() > deadline)
        throw new Error(`${id} was not accepted; the last answer was ${status}`)
      await wait(delay * (0.5 + random() / 2))
    }
  }

  async function post(body: string, signature: string): Promise<number | undefined> {
    try {
      const answer = await fetch(url(), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-signature': signature },
        body,
        signal: AbortSignal.timeout(answerWithinMs),
      })
      // The status is the answer; the connection may break behind it.
      await answer.text().catch(() => '')
      return answer.status
    } catch {
      return undefined
    }
  }

  return {
    answers,
    failures: () => failures,
    async send(events, width) {
      const queue = events.values()
      async function work(): Promise<void> {
        for (const event of queue) await deliver(event)
      }
      await Promise.all(Array.from({ length: width }, work))
    },
  }
}
