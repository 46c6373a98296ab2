import { createHmac } from 'node:crypto'
import { between, binomial, type Chance, whole } from '../detector/chance.ts'
import { type Answered, type Asked, fairWeather, type Host } from './network.ts'
import type { Timeline } from './timeline.ts'

export interface Report {
  id: string
  type: string
  model: string
  category: string
  /** Percentage points. */
  delta: number
  /** Milliseconds since the epoch, by the service's clock. */
  detectedAt: number
}

interface Subscription {
  id: string
  url: string
  events: string[]
  models: string[]
  secret: string
  status: string
}

/** One body, as it was signed and sent, and what became of it. */
export interface Delivery {
  body: string
  report: Report
  attempts: number
  /** The answers that the service got; a try without one is not among them. */
  statuses: number[]
  /** When the desk first answered 2xx, and with which status. */
  accepted: { at: number; status: number } | undefined
}

/** Posts one delivery; undefined where no answer came. */
type Post = (body: string, signature: string) => Promise<number | undefined>

export interface Service extends Host {
  readonly deliveries: Delivery[]
  post: Post
  /** Something happened: reported to every subscription, again and again until a 2xx comes. */
  report(report: Report, how?: { asText?: (payload: object) => string }): Delivery | undefined
  /** Sends what was sent before once more. */
  repeat(delivery: Delivery): void
  /** The published rates move, from the next reading on; often that is taken at once. */
  move(model: string, category: Category, points: number): void
  /** A person deletes every subscription. */
  forget(): void
  subscriptions(): number
  /** All that were published. */
  readings(): readonly PublishedReading[]
}

interface PublishedReading {
  model: string
  category: Category
  /** Milliseconds since the epoch, by the service's clock. */
  at: number
  /** Fraction of the prompts that were refused. */
  rate: number
}

const categories = ['overall', 'political', 'safety', 'social'] as const
type Category = (typeof categories)[number]
const models = ['claude', 'gemini'] as const
const dayMs = 24 * 60 * 60_000
const sample = 500
/** For so long a delivery that nobody took is tried again. */
const triesForMs = 3 * dayMs

export function createService(parts: {
  timeline: Timeline
  random: Chance
  /** The service's clock. */
  now: () => number
  note(what: string): void
}): Service {
  const { timeline, random, now, note } = parts
  let subscriptions: Subscription[] = []
  let made = 0
  const deliveries: Delivery[] = []
  const moves: { at: number; model: string; category: Category; points: number }[] = []
  /** Readings beside those of every midnight. */
  const extra: { at: number; model: string }[] = []
  const measured = new Map<string, PublishedReading>()
  const service: Service = {
    name: 'service',
    weather: { ...fairWeather },
    answer,
    deliveries,
    post: async () => undefined,
    report,
    repeat(delivery) {
      deliver(delivery, timeline.now())
    },
    move(model, category, points) {
      moves.push({ at: now(), model, category, points })
      if (random() < 0.7) extra.push({ at: now(), model })
    },
    forget() {
      subscriptions = []
    },
    subscriptions: () => subscriptions.length,
    readings: () => [...measured.values()],
  }

  function report(
    what: Report,
    { asText = JSON.stringify } = {} as { asText?: (payload: object) => string },
  ) {
    const { id, type, model, category, delta, detectedAt } = what
    const sign = delta < 0 ? '-' : '+'
    const data = {
      category,
      delta: `${sign}${Math.abs(delta)}pp`,
      detected_at: new Date(detectedAt).toISOString(),
    }
    const body = asText({ id, type, model, data, methodology: 'https://monitor.example/methodology' })
    const delivery: Delivery = { body, report: what, attempts: 0, statuses: [], accepted: undefined }
    deliveries.push(delivery)
    deliver(delivery, timeline.now())
    return delivery
  }

  function deliver(delivery: Delivery, since: number): void {
    const to = subscriptions.find(
      ({ models, events }) => models.includes(delivery.report.model) && events.includes(delivery.report.type),
    )
    // Nobody asked for it, or nobody any more: it is tried again as if the desk did not answer.
    if (to === undefined) {
      again(delivery, since)
      return
    }
    delivery.attempts += 1
    const signature = createHmac('sha256', to.secret).update(delivery.body).digest('hex')
    void service.post(delivery.body, signature).then((status) => {
      if (status !== undefined) delivery.statuses.push(status)
      note(`${delivery.report.id}: ${status ?? 'no answer'}`)
      if (status === undefined || status < 200 || status >= 300) return again(delivery, since)
      delivery.accepted ??= { at: timeline.now(), status }
    })
  }

  function again(delivery: Delivery, since: number): void {
    if (timeline.now() - since > triesForMs) return
    const wait = Math.min(5_000 * 2 ** Math.min(delivery.attempts, 10), 60 * 60_000)
    timeline.worldAfter(wait * between(random, 0.5, 1), () => deliver(delivery, since))
  }

  function answer({ method, url, body }: Asked): Answered {
    const path = url.pathname.replace(/^\/v1/, '')
    if (path === '/webhooks' && method === 'POST') return create(JSON.parse(body))
    if (path === '/webhooks')
      return json({ data: subscriptions.map((one) => ({ ...one, secret: undefined })) })
    if (path.startsWith('/webhooks/')) return answerAboutSubscription(method, path.slice('/webhooks/'.length))
    if (path === '/monitoring/compare') {
      return json({
        models: models.map((model) => current(model)),
        last_updated: new Date(Math.max(...models.map(lastReading))).toISOString(),
        sample_size: sample,
      })
    }
    const [, model = '', what = ''] = /^\/monitoring\/(\w+)\/(\w+)$/.exec(path) ?? []
    if (what === 'metrics') return json(current(model))
    if (what === 'history') return json(history(model, url.searchParams.get('period') ?? '90d'))
    return json({ error: { code: 'NOT_FOUND', message: 'There is nothing here.' } }, 404)
  }

  function create({ url, events, models }: Pick<Subscription, 'url' | 'events' | 'models'>): Answered {
    made += 1
    const secret = `whsec_${Buffer.from(`secret ${made} of the simulation ${Math.floor(random() * 1e9)}`).toString('base64url')}`
    const subscription = { id: `wh_${made}`, url, events, models, secret, status: 'active' }
    subscriptions.push(subscription)
    return json(subscription, 201)
  }

  function answerAboutSubscription(method: string, id: string): Answered {
    const subscription = subscriptions.find((subscription) => subscription.id === id)
    if (subscription === undefined)
      return json({ error: { code: 'NOT_FOUND', message: 'No such webhook.' } }, 404)
    if (method === 'GET') return json({ ...subscription, secret: undefined })
    subscriptions = subscriptions.filter((other) => other !== subscription)
    return { status: 204, body: '' }
  }

  function lastReading(model: string): number {
    return Math.max(Math.floor(now() / dayMs) * dayMs, ...extraOf(model))
  }

  function extraOf(model: string): number[] {
    return extra.filter((one) => one.model === model && one.at <= now()).map(({ at }) => at)
  }

  /** The share of prompts refused, measured once and then published for ever. */
  function rate(model: string, category: Category, at: number): number {
    const key = `${model} ${category} ${at}`
    const measurement = measured.get(key)
    if (measurement !== undefined) return measurement.rate
    const base = 0.2 + models.indexOf(model as (typeof models)[number]) * 0.05
    const moved = moves
      .filter((move) => move.at <= at && move.model === model && move.category === category)
      .reduce((sum, { points }) => sum + points / 100, 0)
    const p = Math.min(Math.max(base + moved, 0.02), 0.98)
    const fresh = binomial(random, sample, p) / sample
    measured.set(key, { model, category, at, rate: fresh })
    return fresh
  }

  function current(model: string): object {
    const at = lastReading(model)
    return {
      model,
      version: '1.0',
      metrics: {
        overall_refusal_rate: rate(model, 'overall', at),
        political_refusal_rate: rate(model, 'political', at),
        safety_refusal_rate: rate(model, 'safety', at),
        bias_score: 0.1,
      },
      trend: 'stable',
      last_updated: new Date(at).toISOString(),
      sample_size: sample,
    }
  }

  function history(model: string, period: string): object {
    const days = Math.min(period === '1y' ? 365 : Number.parseInt(period, 10) || 90, 40)
    const end = Math.floor(now() / dayMs) * dayMs
    const midnights = Array.from({ length: days }, (_, index) => end - index * dayMs)
    const times = [...midnights, ...extraOf(model)].toSorted((one, other) => one - other)
    const data = times.map((at) => {
      const rates = Object.fromEntries(
        categories.map((name) => [`${name}_refusal_rate`, rate(model, name, at)]),
      )
      return { date: new Date(at).toISOString(), ...rates, sample_size: sample }
    })
    return { model, data, last_updated: new Date(lastReading(model)).toISOString(), sample_size: sample }
  }

  function json(body: object, status = 200): Answered {
    const headers = { 'content-type': 'application/json', Date: new Date(now()).toUTCString() }
    return { status, headers, body: JSON.stringify(body) }
  }

  return service
}

/** A report as the service would make it, of one of the models that somebody watches. */
export function reportOf(random: Chance, id: string, now: number): Report {
  const delta = whole(random, 3, 30) * (random() < 0.3 ? -1 : 1)
  return {
    id,
    type: random() < 0.7 ? 'censorship_spike' : 'policy_change',
    model: random() < 0.7 ? 'claude' : 'gemini',
    category: random() < 0.7 ? 'political' : 'safety',
    delta,
    detectedAt: now - Math.floor(between(random, 0, 120_000)),
  }
}
