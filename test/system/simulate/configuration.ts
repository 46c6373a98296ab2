import type { CommonSettings } from '../../../src/channels/settings.ts'
import { Config } from '../../../src/config/schema.ts'
import { type Chance, pick, whole } from '../detector/chance.ts'

/** What a channel is in the simulation: the place that its readers look at, and its filters in plain values. */
export interface Wish {
  name: string
  place: string
  /** Whether one can ask the provider what stands there. */
  canLook: boolean
  /** Whether what stands there can be edited. */
  canEdit: boolean
  filters: Filters
  hours: Hours
}

/** When a channel wants what it gets, as the configuration has it. */
type Hours = Pick<CommonSettings, 'quiet' | 'digest'> & {
  stories?: { within: string; worse?: number }
  escalate?: { after: string; minDelta?: number; to: string }
}

/** The filters of a channel, as the configuration has them. */
interface Filters {
  models?: string[]
  events?: string[]
  categories?: string[]
  minDelta?: number
  direction?: 'rise' | 'fall' | 'both'
}

export interface Arrangement {
  config: Config
  wishes: readonly Wish[]
  operators: readonly string[]
}

/** Where each kind of channel goes, as the configuration has it, and what its readers see. */
const kinds = {
  slack: { to: { type: 'slack', to: '#ai-desk' }, place: 'slack #ai-desk', canLook: true, canEdit: true },
  ops: { to: { type: 'slack', to: '#ops' }, place: 'slack #ops', canLook: true, canEdit: true },
  hook: {
    to: { type: 'slack', webhookUrl: 'https://hooks.slack.com/services/T0/B0/simulated' },
    place: 'slack-webhook',
    canLook: false,
    canEdit: false,
  },
  discord: {
    to: { type: 'discord', to: '1180000000000000001' },
    place: 'discord 1180000000000000001',
    canLook: true,
    canEdit: true,
  },
  dhook: {
    to: {
      type: 'discord',
      webhookUrl: 'https://discord.com/api/webhooks/1180000000000000002/simulated-token',
    },
    place: 'discord-webhook',
    canLook: false,
    canEdit: true,
  },
  mail: {
    to: { type: 'email', to: 'ombud@desk.example' },
    place: 'mail ombud@desk.example',
    canLook: false,
    canEdit: false,
  },
} as const
type Kind = keyof typeof kinds

export const retentionMs = 14 * 24 * 60 * 60_000

/** A desk of some channels and their filters. `ops` is the operators' own. */
export function arrange(
  random: Chance,
  names: readonly Kind[],
  polling: boolean,
  hoursOf: () => Hours = () => ({}),
): Arrangement {
  const wishes = names.map((kind) =>
    kind === 'ops' ? wishFor(kind, { minDelta: 100 }, {}) : wishFor(kind, filters(random), hoursOf()),
  )
  const operators = random() < 0.7 ? ['ops'] : ['ops', names.find((kind) => kind !== 'ops') ?? 'ops']
  return { config: configOf(wishes, operators, polling), wishes, operators }
}

function wishFor(name: Kind, filters: Filters, hours: Hours): Wish {
  const { place, canLook, canEdit } = kinds[name]
  return { name, place, canLook, canEdit, filters, hours }
}

/** Most channels want everything at once. */
export function hours(random: Chance): Hours {
  const hour = (least = 0, most = 23) => `${String(whole(random, least, most)).padStart(2, '0')}:00`
  const unless = random() < 0.3 ? { minDelta: 20 } : undefined
  const some: Hours = {}
  if (random() < 0.2) some.quiet = { from: hour(12), to: hour(0, 11), unless }
  if (random() < 0.2) {
    const every = pick(random, 'hour', 'hour', 'day')
    some.digest = every === 'hour' ? { every, unless } : { every, at: hour(), unless }
  }
  return some
}

/** A third of the desks want stories, and most of the channels there. */
export function storiesOf(random: Chance): () => Pick<Hours, 'stories'> {
  const isWanted = random() < 0.35
  return () => {
    if (!isWanted || random() < 0.3) return {}
    const within = pick(random, '1m', '10m', '2h', '12h')
    return { stories: random() < 0.4 ? { within, worse: pick(random, 1, 5) } : { within } }
  }
}

/** A third of the desks have alerts go to `ops` if nobody acknowledges them. */
export function escalationsOf(random: Chance): () => Pick<Hours, 'escalate'> {
  const isWanted = random() < 0.35
  return () => {
    if (!isWanted || random() < 0.3) return {}
    const after = pick(random, '1m', '15m', '3h', '3h')
    return { escalate: { after, to: 'ops', ...(random() < 0.5 && { minDelta: 10 }) } }
  }
}

function filters(random: Chance): Filters {
  const some: Filters = {}
  if (random() < 0.4) some.models = pick(random, ['claude'], ['gemini'], ['claude', 'gemini'])
  if (random() < 0.2) some.categories = ['political']
  if (random() < 0.3) some.minDelta = pick(random, 5, 10)
  if (random() < 0.15) some.direction = pick(random, 'rise', 'fall')
  if (random() < 0.1) some.events = ['censorship_spike']
  return some
}

function configOf(wishes: readonly Wish[], operators: readonly string[], polling: boolean): Config {
  return Config.parse({
    monitor: { baseUrl: 'https://monitor.example/v1', apiKey: 'key-of-the-simulation-0001', tier: 'pro' },
    webhook: { publicUrl: 'https://desk.example' },
    polling: polling ? { mode: 'auto', interval: '1h' } : { mode: 'off' },
    server: { port: 8080 },
    store: 'file:/data',
    retention: '14d',
    // Copies are made by the disk of the real machine, in its time.
    copies: 0,
    slack: {
      token: 'xoxb-simulated-token-0001',
      intervalMs: 1000,
      // Somebody has to be able to acknowledge.
      ...(wishes.some(({ hours }) => hours.escalate) && { signingSecret: 'simulated-signing-secret' }),
    },
    discord: { token: 'simulated-token-0002' },
    email: { smtp: 'smtp://127.0.0.1:2525', from: 'Bluepencil <bluepencil@desk.example>', requireTls: false },
    operators,
    channels: wishes.map(({ name, filters, hours }) => ({
      name,
      ...kinds[kindOf(name)].to,
      ...filters,
      ...hours,
    })),
  })
}

/** A channel that was renamed has a number behind its kind. */
function kindOf(name: string): Kind {
  return name.replace(/-\d+$/, '') as Kind
}

/** The same desk as another reload has it: a channel less, one renamed, or other filters. */
export function rearrange(random: Chance, before: Arrangement, count: number, polling: boolean): Arrangement {
  const how = pick(random, 'remove', 'rename', 'filter', 'operators')
  const others = before.wishes.filter(({ name }) => name !== 'ops')
  const chosen = others[Math.floor(random() * others.length)]
  if (chosen === undefined) return before
  let wishes = before.wishes
  let operators = before.operators
  if (how === 'remove' && others.length > 1) wishes = wishes.filter((wish) => wish !== chosen)
  if (how === 'rename') {
    const renamed = { ...chosen, name: `${chosen.name.replace(/-\d+$/, '')}-${count}` }
    wishes = wishes.map((wish) => (wish === chosen ? renamed : wish))
  }
  if (how === 'filter') {
    const changed = { ...chosen, filters: { ...chosen.filters, minDelta: pick(random, 0, 5, 15) } }
    wishes = wishes.map((wish) => (wish === chosen ? changed : wish))
  }
  operators = how === 'operators' ? ['ops', chosen.name] : operators
  operators = operators.filter((name) => wishes.some((wish) => wish.name === name))
  return { config: configOf(wishes, operators, polling), wishes, operators }
}
