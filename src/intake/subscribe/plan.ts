import { secretPrefix, whyNoSecret } from '../../config/signing-secret.ts'
import type { Webhook } from '../../service/client/endpoints/webhooks.ts'
import type { SubscriptionRecord } from './record.ts'

export interface DesiredSubscription {
  events: readonly string[]
  models: readonly string[]
}

export interface SubscriptionSituation {
  /** The subscriptions that the service has for our URL. */
  mine: readonly Webhook[]
  wanted: DesiredSubscription
  record: SubscriptionRecord
  /** Whether the configuration has a secret: then the operator may have made the subscription. */
  secretConfigured: boolean
}

export type SubscriptionPlan =
  | { step: 'keep'; webhook: Webhook; surplus: Webhook[]; flaw: SubscriptionFlaw | undefined }
  | { step: 'create'; why: string; surplus: Webhook[] }

/** What is not as it should be with a subscription that is kept, since a new one would be the same. */
export interface SubscriptionFlaw {
  kind: 'inactive' | 'other-choice'
  why: string
}

type SubscriptionJudgement = { fit: true; flaw: SubscriptionFlaw | undefined } | { fit: false; why: string }

/** Which subscription stays, which go, and whether there must be a new one. */
export function plan(situation: SubscriptionSituation): SubscriptionPlan {
  const judged = situation.mine.map((webhook) => ({ webhook, judgement: judge(webhook, situation) }))
  const currentFirst = judged.toSorted((a, b) => rank(a.webhook, situation) - rank(b.webhook, situation))
  for (const { webhook, judgement } of currentFirst) {
    if (!judgement.fit) continue
    const surplus = situation.mine.filter((other) => other !== webhook)
    return { step: 'keep', webhook, surplus, flaw: judgement.flaw }
  }
  const reasons = currentFirst.flatMap(({ judgement }) => (judgement.fit ? [] : [judgement.why]))
  const why = reasons[0] ?? 'The service has no subscription for our URL.'
  return { step: 'create', why, surplus: [...situation.mine] }
}

function rank(webhook: Webhook, { record }: SubscriptionSituation): number {
  return webhook.id === record.current?.id ? 0 : 1
}

/**
 * Whether a subscription will do: we hold its secret, it is active, and it is for what we want.
 *
 * The answer to its creation may already have differed: the service writes the choice in another way, or activates
 * later. A new subscription would differ as well, so this one is kept and the difference reported.
 */
export function judge(webhook: Webhook, situation: SubscriptionSituation): SubscriptionJudgement {
  const { record, wanted } = situation
  const { id, status } = webhook
  if (!isHeld(webhook, situation)) return { fit: false, why: `Bluepencil does not have the secret of ${id}.` }

  const made = record.current?.id === id ? record.current : undefined
  const flaws: SubscriptionFlaw[] = []
  for (const field of ['events', 'models'] as const) {
    const shown = webhook[field]
    const isAsRequested = made !== undefined && sameSet(made[field], wanted[field])
    if (shown === null ? isAsRequested || isOperators(webhook, situation) : sameSet(shown, wanted[field]))
      continue
    const what = `${id} for the ${field} ${list(shown)} instead of ${list(wanted[field])}`
    if (!isAsRequested || !sameSet(made.shown[field], shown))
      return { fit: false, why: `The service has ${what}.` }
    const why = `The service made ${what}: compare what the channels want with what it offers.`
    flaws.push({ kind: 'other-choice', why })
  }
  if (status !== null && !/^(active|enabled)$/i.test(status)) {
    const why = `The service shows ${id} as "${status}" instead of active`
    if (made?.shown.status !== status) return { fit: false, why: `${why}.` }
    flaws.unshift({ kind: 'inactive', why: `${why}, since it was made: activate it at the service.` })
  }
  return { fit: true, flaw: flaws[0] }
}

/**
 * Whether deliveries of this subscription can be verified. A configured secret counts only if there is one subscription.
 * With several, or after a creation with an unknown result, it may belong to another one.
 */
export function isHeld(webhook: Webhook, { mine, record, secretConfigured }: SubscriptionSituation): boolean {
  if (webhook.id === record.current?.id) return record.current.secret !== null || secretConfigured
  if (shownSecret(webhook) !== undefined) return true
  return isOperators(webhook, { mine, record, secretConfigured })
}

function isOperators(
  webhook: Webhook,
  { mine, record, secretConfigured }: Omit<SubscriptionSituation, 'wanted'>,
): boolean {
  if (!secretConfigured || record.creating || webhook.id === record.current?.id) return false
  return mine.length === 1 && shownSecret(webhook) === undefined
}

/** The secret that the service shows again, unless it is masked or cut, or a fingerprint without the prefix of a secret. */
export function shownSecret(webhook: Webhook): string | undefined {
  const secret = givenSecret(webhook)
  return secret?.startsWith(secretPrefix) ? secret : undefined
}

/** The secret in the answer to a creation, unless it is none: what is masked can be guessed. */
export function givenSecret({ secret }: Webhook): string | undefined {
  return secret !== null && whyNoSecret(secret) === undefined ? secret : undefined
}

/** The same address, however it is written: case of the host, default port, trailing slash. */
export function sameAddress(a: string, b: string): boolean {
  if (!URL.canParse(a) || !URL.canParse(b)) return false
  return comparable(new URL(a)) === comparable(new URL(b))
}

function comparable(url: URL): string {
  const plain = new URL(url)
  plain.hash = ''
  plain.pathname = url.pathname.replace(/\/+$/, '')
  return plain.href
}

/** Whether both have the same words; order, case and repetition make no difference. `null` equals only `null`. */
export function sameSet(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (a === null || b === null) return a === b
  const left = new Set(a.map((word) => word.toLowerCase()))
  const right = new Set(b.map((word) => word.toLowerCase()))
  return left.size === right.size && left.isSubsetOf(right)
}

function list(words: readonly string[] | null): string {
  if (words === null) return '(not shown)'
  return words.length === 0 ? '(none)' : words.join(', ')
}
