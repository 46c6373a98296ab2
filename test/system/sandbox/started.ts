import { onTestFinished } from 'vitest'
import * as z from 'zod'
import type { DeliveryAttempt } from '../../../src/service/sandbox/deliveries.ts'
import { type SandboxOptions, startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { waiters } from './receiver.ts'

/** 10 minutes past the hour. */
export const start = '2026-03-01T09:10:00.000Z'

const Created = z.object({ id: z.string(), secret: z.string() })

interface Question {
  key?: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is. */
  raw?: string
}

/** A sandbox on a clock that the test moves, with a client for it. Ends with the test. */
export async function startWithClock(options: Partial<SandboxOptions> = {}) {
  const clock = createManualClock(Date.parse(start))
  const attempts: DeliveryAttempt[] = []
  const progress = waiters(() => attempts.length)
  const sandbox = await startSandbox({
    port: 0,
    seed: 7,
    clock,
    onDelivery: (attempt) => {
      attempts.push(attempt)
      progress.changed()
    },
    ...options,
  })
  onTestFinished(() => sandbox.close())

  async function send(method: string, url: string, { key, body, raw }: Question) {
    const response = await fetch(url, {
      method,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    })
    const text = await response.text()
    const parsed: unknown = text === '' ? undefined : JSON.parse(text)
    return { status: response.status, headers: response.headers, body: parsed }
  }

  /** Asks the service; the path is relative to /v1. */
  function ask(method: string, path: string, question: Question = {}) {
    return send(method, sandbox.url + path, { key: 'sandbox-pro', ...question })
  }

  /** Steers the sandbox; the path is relative to /_sandbox. */
  function control(method: string, path: string, body?: unknown) {
    return send(method, `${sandbox.origin}/_sandbox${path}`, { body })
  }

  async function subscribe(url: string, more: { events?: string[]; models?: string[] } = {}) {
    const answer = await ask('POST', '/webhooks', { body: { url, ...more } })
    return Created.parse(answer.body)
  }

  return { sandbox, clock, send, ask, control, subscribe, attempts, untilAttempts: progress.until }
}
