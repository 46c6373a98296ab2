import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { Act, Person } from '../../event/act.ts'
import { dayMs, hourMs } from '../../platform/durations.ts'
import type { StoredValue } from '../../store/store.ts'
import { actBy, actId, type Doer } from './acts.ts'
import { hashOf, newSecret } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { HourlyUses } from './uses.ts'

/** Whose a feed is. `machine`: of this machine, while nobody has to sign in. */
const FeedOwner = z.discriminatedUnion('by', [
  z.object({ by: z.literal('password'), name: z.string() }),
  z.object({ by: z.literal('proxy'), name: z.string() }),
  /** `mark`: of the provider. `sub`: as it knows the person. */
  z.object({ by: z.literal('oidc'), name: z.string(), mark: z.string(), sub: z.string() }),
  z.object({ by: z.literal('machine'), name: z.string() }),
])
export type FeedOwner = z.infer<typeof FeedOwner>

const OwnFeed = z.object({
  /** No secret. */
  id: z.string(),
  owner: FeedOwner,
  /** As the address of the list of alerts has them. */
  filters: z.record(z.string(), z.string()),
  /** `hashOf` the secret in its address. */
  hash: z.string(),
  /** ISO 8601, UTC. */
  madeAt: z.string(),
})
export type OwnFeed = z.infer<typeof OwnFeed>

const Stored = z
  .object({
    /** One that a newer version wrote otherwise stays as it is. */
    feeds: z.array(z.unknown()).default([]),
    /** The hashes of addresses that were withdrawn. */
    withdrawn: z.array(z.string()).default([]),
  })
  .catch({ feeds: [], withdrawn: [] })

/** When a person was last here, and what of theirs had a role then (OpenID). */
const LastVisit = z.object({ at: z.string(), fits: z.array(z.string()) })
export type LastVisit = z.infer<typeof LastVisit>
const Visits = z.record(z.string(), LastVisit).catch({})

/** Since when the owner of a feed is gone, by its id. ISO 8601, UTC. */
const GoneSince = z.record(z.string(), z.iso.datetime()).catch({})
/** A process sweeps each hour. In this time every other process has swept too, and would have found an owner who is there. */
const goneMs = 1.5 * hourMs

/** What withdraws feeds whose owners are gone. */
export const byItself = { name: 'Bluepencil', via: 'console' } as const

export interface OwnFeeds {
  /** Newest last. `readAt`: to the hour. */
  of(owner: FeedOwner): Promise<(OwnFeed & { readAt?: string | undefined })[]>
  all(): Promise<{ feed: OwnFeed; visit: LastVisit | undefined }[]>
  /** The secret is stored nowhere. `already`: by the same form; `full`: they have too many; `full-for-all`: all people together have. */
  make(
    doer: Doer,
    wanted: Pick<OwnFeed, 'owner' | 'filters'> & { fits?: readonly string[] | undefined },
  ): Promise<{ secret: string; feed: OwnFeed } | 'already' | 'full' | 'full-for-all'>
  withdraw(by: Person, feed: OwnFeed): Promise<void>
  find(secret: string): Promise<{ feed: OwnFeed; visit: LastVisit | undefined } | 'withdrawn' | 'unknown'>
  noteRead(feed: OwnFeed): void
  /** `feeds`: all whose owners are gone, by the configuration of this process. Returns those whose owners no process has found for long. */
  goneForLong(feeds: readonly OwnFeed[]): Promise<OwnFeed[]>
  /** They are here. Stored once a day, and only of people who have a feed. */
  noteVisit(owner: FeedOwner, fits?: readonly string[]): void
}

interface OwnFeedsParts {
  settings: Pick<Settings, 'read' | 'change' | 'isRecorded'>
  uses: HourlyUses
  visits: StoredValue
  gone: StoredValue
  now(): number
  onError(error: unknown): void
}

/** Of one person, and in all. */
export const mostFeeds = 20
export const mostOfAll = 2_000
const mostWithdrawn = 1_000
/** With a sign by which programs that look for secrets in files know it. */
const form = /^bpown_[\w-]{43}$/

export function createOwnFeeds({ settings, uses, visits, gone, now, onError }: OwnFeedsParts): OwnFeeds {
  /** The last visit of each that this process has noted. */
  const noted = new Map<string, string>()

  async function read(): Promise<{ feeds: OwnFeed[]; withdrawn: string[] }> {
    const { feeds, withdrawn } = Stored.parse(await settings.read('feeds'))
    return { feeds: readable(feeds), withdrawn }
  }

  async function storeVisit(owner: FeedOwner, fits: readonly string[]): Promise<void> {
    const visit: LastVisit = { at: new Date(now()).toISOString(), fits: [...fits] }
    await visits.change((before) => ({ ...Visits.parse(before), [nameOfOwner(owner)]: visit }))
  }

  async function dropVisit(owner: FeedOwner): Promise<void> {
    const name = nameOfOwner(owner)
    noted.delete(name)
    await visits.change((before) => {
      const { [name]: visit, ...others } = Visits.parse(before)
      return visit === undefined ? undefined : others
    })
  }

  async function ofOwner(owner: FeedOwner): Promise<OwnFeed[]> {
    return (await read()).feeds.filter((feed) => isOf(feed, owner))
  }

  return {
    async of(owner) {
      const [feeds, readAt] = await Promise.all([ofOwner(owner), uses.read()])
      return feeds.map((feed) => ({ ...feed, readAt: readAt[feed.id] }))
    },
    async all() {
      const [{ feeds }, visit] = await Promise.all([read(), visits.read()])
      return feeds.map((feed) => ({ feed, visit: Visits.parse(visit)[nameOfOwner(feed.owner)] }))
    },
    async make(doer, { owner, filters, fits = [] }) {
      const id = `feed_${hashOf(JSON.stringify([doer.key, owner])).slice(0, 16)}`
      const act = feedAct('make-token', doer.by, { id, owner, filters }, now)
      // It may have been withdrawn since.
      if (await settings.isRecorded(act.id)) return 'already'
      const secret = `bpown_${newSecret()}`
      const feed = { id, owner, filters, hash: hashOf(secret), madeAt: act.receivedAt }
      await storeVisit(owner, fits)
      let isFullForAll = false
      const add = (before: unknown) => {
        const stored = Stored.parse(before)
        const ofTheirs = readable(stored.feeds).filter((one) => isOf(one, owner))
        isFullForAll = ofTheirs.length < mostFeeds && stored.feeds.length >= mostOfAll
        const isFull = ofTheirs.length >= mostFeeds || isFullForAll
        return isFull ? undefined : { ...stored, feeds: [...stored.feeds, feed] }
      }
      const result = await settings.change('feeds', add, act)
      if (result === 'changed') return { secret, feed }
      if (result === 'repeated') return 'already'
      return isFullForAll ? 'full-for-all' : 'full'
    },
    async withdraw(by, feed) {
      const remove = (before: unknown) => {
        const { feeds, withdrawn } = Stored.parse(before)
        const left = feeds.filter((one) => OwnFeed.safeParse(one).data?.id !== feed.id)
        if (left.length === feeds.length) return undefined
        return { feeds: left, withdrawn: [...withdrawn, feed.hash].slice(-mostWithdrawn) }
      }
      await settings.change('feeds', remove, feedAct('revoke-token', by, feed, now))
      await uses.drop(feed.id)
      if ((await ofOwner(feed.owner)).length === 0) await dropVisit(feed.owner)
    },
    async find(secret) {
      if (!form.test(secret)) return 'unknown'
      // By its hash: how long the comparison takes says nothing of the secret.
      const hash = hashOf(secret)
      const { feeds, withdrawn } = await read()
      const feed = feeds.find((one) => one.hash === hash)
      if (feed === undefined) return withdrawn.includes(hash) ? 'withdrawn' : 'unknown'
      return { feed, visit: Visits.parse(await visits.read())[nameOfOwner(feed.owner)] }
    },
    noteRead: ({ id }) => uses.note(id),
    async goneForLong(feeds) {
      const at = new Date(now()).toISOString()
      let since: Record<string, string> = {}
      await gone.change((before) => {
        const stored = GoneSince.parse(before)
        since = Object.fromEntries(feeds.map(({ id }) => [id, earlier(stored[id] ?? at, at)]))
        return isDeepStrictEqual(since, stored) ? undefined : since
      })
      return feeds.filter(({ id }) => now() - Date.parse(since[id] ?? at) >= goneMs)
    },
    noteVisit(owner, fits = []) {
      const name = nameOfOwner(owner)
      const today = JSON.stringify([Math.floor(now() / dayMs), fits])
      if (noted.get(name) === today) return
      noted.set(name, today)
      const store = async () => {
        if ((await ofOwner(owner)).length > 0) await storeVisit(owner, fits)
      }
      store().catch((error: unknown) => {
        noted.delete(name)
        onError(error)
      })
    },
  }
}

/** "Claude, political", as people and the audit log read it. */
export function feedName(filters: OwnFeed['filters']): string {
  const chosen = Object.entries(filters).map(([name, value]) => `${name} ${value}`)
  return chosen.length === 0 ? 'all alerts' : chosen.join(', ')
}

/** A clock may have been set back. */
function earlier(one: string, other: string): string {
  return one < other ? one : other
}

function readable(feeds: readonly unknown[]): OwnFeed[] {
  return feeds.flatMap((one) => OwnFeed.safeParse(one).data ?? [])
}

function isOf(feed: OwnFeed, owner: FeedOwner): boolean {
  return nameOfOwner(feed.owner) === nameOfOwner(owner)
}

function nameOfOwner(owner: FeedOwner): string {
  return JSON.stringify(owner.by === 'oidc' ? ['oidc', owner.mark, owner.sub] : [owner.by, owner.name])
}

/** It names the feed by its id and what it is of, and never has the secret. */
function feedAct(
  does: 'make-token' | 'revoke-token',
  by: Person,
  { id, owner, filters }: Pick<OwnFeed, 'id' | 'owner' | 'filters'>,
  now: () => number,
): Act {
  return {
    ...actBy(by, now),
    id: actId(does, id),
    does,
    token: id,
    name: feedName(filters),
    use: 'feeds',
    owner: owner.name,
  }
}
