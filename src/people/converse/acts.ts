import { createHash } from 'node:crypto'
import type { Act, Person, Scope, SendingHeld } from '../../event/act.ts'
import { type Desk, type DeskState, deskOf, storyAddress } from '../../event/desk.ts'
import { knownCategories } from '../../event/event.ts'
import { type Store, stateOf } from '../../store/store.ts'
import { type KnownSilence, longestSilenceMs, recallSilences, type Silences } from './silences.ts'

/** Who acts, and the provider's name for what they did: if it is reported again, it is the same act. */
export interface Doer {
  by: Person
  /** An interaction's id, unique for the provider. */
  key: string
}

interface SilenceRequest {
  scope: Scope
  /** Milliseconds since the epoch. */
  until: number
  why: string
  /** The alert from which it was asked for, by its id. */
  about?: string
}

/** What came of it, when it is on disk; rejects with `StoreUnavailable` if it is not. */
type ActResult<Done> =
  | ({ result: 'done' } & Done)
  /** It was done before, by this act or by another one like it. */
  | ({ result: 'already' } & Done)
  | { result: 'unknown' }

export interface WantedDesk {
  state: DeskState
  /** As somebody wrote it; needed if it is published. */
  story?: string | undefined
}

type DeskResult =
  | { result: 'done' | 'already'; desk: Desk; before: Desk }
  | { result: 'outrun'; desk: Desk }
  | { result: 'bad-address' }
  | { result: 'unknown' }

/** Two people who are as quick as each other this many times in a row are not. */
const mostTries = 5

/** What people do in chats, by commands and in the console. Who may do what is decided before. */
export interface Acts {
  /** Somebody has seen the alert. Each person once. */
  acknowledge(doer: Doer, eventId: string): Promise<ActResult<{ id: string }>>
  /**
   * Puts an alert into a state of the desk. `seen`: the act that led to the state that the person saw, empty for none. If somebody
   * was quicker, nothing is done (`outrun`). `before`: the state that it replaced.
   */
  setDesk(doer: Doer, eventId: string, wanted: WantedDesk, seen?: string): Promise<DeskResult>
  /** `bad-end`: a silence must end in the future, within 30 days. `no-category`: no alert has had it. */
  silence(
    doer: Doer,
    wanted: SilenceRequest,
  ): Promise<ActResult<{ silence: KnownSilence }> | { result: 'bad-end' } | { result: 'no-category' }>
  endSilence(doer: Doer, silenceId: string): Promise<ActResult<{ silence: KnownSilence }>>
  /** Those in force, the one that ends first before the others. */
  silences(): Promise<KnownSilence[]>
}

interface ActsParts {
  store: Pick<Store, 'find' | 'list' | 'later'>
  silences: Silences
  now(): number
  /** Stores an act; resolves when it is on disk. */
  accept(act: Act): Promise<'new' | 'duplicate'>
}

export function createActs({ store, silences, now, accept }: ActsParts): Acts {
  const time = () => new Date(now()).toISOString()

  return {
    async acknowledge({ by }, eventId) {
      const stored = await store.find(eventId)
      if (stored?.entry.kind !== 'alert') return { result: 'unknown' }
      const about = stored.entry.sameAs ?? eventId
      const reopenedBy = reopening((await store.later(about)).acts ?? [])
      const id = actId('acknowledge', about, by.via, by.id ?? by.name, ...reopenedBy)
      const act: Act = { kind: 'act', id, does: 'acknowledge', by, about, receivedAt: time() }
      return { result: (await accept(act)) === 'new' ? 'done' : 'already', id }
    },
    async setDesk({ by, key }, eventId, { state, story: written = '' }, seen) {
      const story = state === 'published' ? storyAddress(written) : undefined
      if (state === 'published' && story === undefined) return { result: 'bad-address' }
      const entry = (await store.find(eventId))?.entry
      if (entry?.kind !== 'alert') return { result: 'unknown' }
      const about = entry.sameAs ?? eventId
      const click = actId('set-desk', by.via, key)
      for (let tries = 1; ; tries += 1) {
        const { acts = [] } = await store.later(about)
        const desk = deskOf(acts)
        const isRepeat = acts.some((act) => act.does === 'set-desk' && act.click === click)
        if (isRepeat || isSame(desk, { state, story, by })) return { result: 'already', desk, before: desk }
        if ((seen !== undefined && seen !== (desk.act ?? '')) || tries > mostTries)
          return { result: 'outrun', desk }
        // Each follows one act before it, so of two at the same moment one is stored.
        const id = actId('set-desk', about, acts.findLast(({ does }) => does === 'set-desk')?.id ?? '')
        const act: Act = {
          kind: 'act',
          id,
          does: 'set-desk',
          by,
          about,
          state,
          ...(story && { story }),
          click,
          receivedAt: time(),
        }
        if ((await accept(act)) === 'new') return { result: 'done', desk: deskOf([act]), before: desk }
      }
    },
    async silence({ by, key }, { scope, until, why, about = null }) {
      const from = now()
      const id = actId('silence', by.via, key)
      const existing = silences.find(id)
      if (existing !== undefined) return { result: 'already', silence: existing }
      if (!(until > from && until <= from + longestSilenceMs)) return { result: 'bad-end' }
      const isKnown =
        about !== null || scope.category === undefined || (await isCategory(store, scope.category))
      if (!isKnown) return { result: 'no-category' }
      const receivedAt = new Date(from).toISOString()
      const ends = new Date(until).toISOString()
      const act: Act = { kind: 'act', id, does: 'silence', by, about, scope, until: ends, why, receivedAt }
      await accept(act)
      await silences.apply(act)
      return { result: 'done', silence: { id, by, scope, why, from: receivedAt, until: ends } }
    },
    async endSilence({ by, key }, silenceId) {
      const silence = silences.find(silenceId)
      if (silence === undefined) return { result: 'unknown' }
      if (!silences.inForce(now()).includes(silence)) return { result: 'already', silence }
      const id = actId('end-silence', by.via, key, silenceId)
      const act: Act = { kind: 'act', id, does: 'end-silence', by, about: silenceId, receivedAt: time() }
      await accept(act)
      await silences.apply(act)
      return { result: 'done', silence: { ...silence, ended: { at: act.receivedAt, by } } }
    },
    silences: async () =>
      silences.inForce(now()).toSorted((one, other) => Date.parse(one.until) - Date.parse(other.until)),
  }
}

/** Who had it before it was put back may acknowledge it again. */
function reopening(acts: readonly Act[]): string[] {
  const last = acts.findLast(({ does }) => does === 'set-desk')
  return last?.does === 'set-desk' && last.state === 'new' ? [last.id] : []
}

function isSame(
  desk: Desk,
  { state, story, by }: Pick<Desk, 'state'> & { story: string | undefined; by: Person },
): boolean {
  if (desk.state !== state || desk.story !== story) return false
  return state === 'new' || (desk.by?.via === by.via && (desk.by.id ?? desk.by.name) === (by.id ?? by.name))
}

/** Somebody asked to send now what is held. */
export type SentHeld =
  /** How many alerts go out: now if the service runs, else after its next start. */
  | { result: 'sent'; count: number; running: boolean }
  | { result: 'nothing-held' }
  | { result: 'unknown-channel'; channels: string[] }

/** What people send: each is stored as their act before it is sent. */
export interface Sendings {
  sendAgain(doer: Doer, entry: string, channels: string[]): Promise<unknown>
  /** Returns what was stored. */
  sendHeld(doer: Doer, channel: string, held: [string, ...string[]]): Promise<SendingHeld>
  /** The caller sends it if this is `done`, and not if it is `already`. */
  test(doer: Doer, channel: string): Promise<'done' | 'already'>
}

export function createSendings({ now, accept }: Pick<ActsParts, 'now' | 'accept'>): Sendings {
  async function put(act: Act): Promise<'done' | 'already'> {
    return (await accept(act)) === 'new' ? 'done' : 'already'
  }

  return {
    sendAgain({ by, key }, entry, channels) {
      const id = actId('send-again', by.via, key, entry)
      return put({ ...actBy(by, now), id, does: 'send-again', entry, channels })
    },
    async sendHeld({ by, key }, channel, held) {
      const id = actId('send-held', by.via, key, channel)
      const act = { ...actBy(by, now), id }
      await put({ ...act, does: 'send-again', entry: held[0], channels: [channel], held })
      return { ...act, channel, held }
    },
    test: ({ by, key }, channel) =>
      put({ ...actBy(by, now), id: actId('test', by.via, key, channel), does: 'test', channel }),
  }
}

/** For commands, which have a store and send nothing: messages are edited when `serve` runs. */
export async function actsOn(
  store: Pick<Store, 'find' | 'list' | 'later' | 'accept' | 'readState' | 'changeState'>,
  now: () => number,
): Promise<Acts> {
  return createActs({
    store,
    silences: await recallSilences({ state: stateOf(store, 'silences') }),
    now,
    accept: acceptInto(store),
  })
}

/** The same of what people have sent. */
export function sendingsOn(store: Pick<Store, 'accept'>, now: () => number): Sendings {
  return createSendings({ now, accept: acceptInto(store) })
}

/** Without `serve`, an act is stored as it is: it alerts nobody. */
export function acceptInto(store: Pick<Store, 'accept'>): ActsParts['accept'] {
  return async (act) => {
    const [verdict] = await store.accept([{ entry: act, outcomes: {} }])
    return verdict === 'new' ? 'new' : 'duplicate'
  }
}

/** What all acts have that are about no alert. */
export function actBy(by: Person, now: () => number) {
  return { kind: 'act' as const, by, about: null, receivedAt: new Date(now()).toISOString() }
}

/** The same thing done by the same person, reported again, is the same act. */
export function actId(...parts: string[]): string {
  return `act_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)}`
}

/** Whether a category, in lower case, is one of the service's, or one that an alert had. A misspelt one would hold nothing. */
export async function isCategory(store: Pick<Store, 'list'>, category: string): Promise<boolean> {
  if (knownCategories.some((one) => one === category)) return true
  return (await store.list({ kind: 'alert', category, limit: 1, withoutOutcomes: true })).length > 0
}
