import type { Express } from 'express'
import { type Console, consolePath, ownListener } from '../config/console.ts'
import type { Oidc } from '../config/oidc.ts'
import { hourMs } from '../platform/durations.ts'
import type { Listening } from '../platform/server/listen.ts'
import type { OwnChange } from '../store/observed.ts'
import type { StoreChange, StoredValue } from '../store/store.ts'
import { ownerFromProvider } from './access/feed-owner.ts'
import { markOfOidc, type SignedInPerson } from './access/oidc/roles.ts'
import { openSessions } from './access/sessions.ts'
import { createSignIn } from './access/sign-in.ts'
import { createConsole } from './application.ts'
import { createDrafts } from './drafts.ts'
import { withdrawOfGone } from './feed/own.ts'
import { createLive } from './live.ts'
import type { ConsoleServices } from './request.ts'

export interface StartParts extends Pick<ConsoleServices, 'shown' | 'console' | 'trustProxy' | 'onSignIn'> {
  /** As at the start: the address that it listens on, and the path below which it answers. */
  first: Console
  state: StoredValue
  /** Serves it by itself, or below a path of the listener of deliveries. */
  listen(application: Express): Promise<Listening>
}

export type RunningConsole = Awaited<ReturnType<typeof startConsole>>

/** Rejects with `CannotListen`. */
export async function startConsole({ first, state, listen, ...parts }: StartParts) {
  const { shown } = parts
  const { now } = shown.clock
  const live = createLive()
  const base = consolePath(first)
  const listener = ownListener(first)
  const sessions = openSessions({ state, now })
  const onPerson = (person: SignedInPerson, provider: Oidc) =>
    shown.feeds.noteVisit(ownerFromProvider(person, markOfOidc(provider)), person.fits)
  const loadOidc = async () =>
    (await import('./access/oidc/oidc.ts')).createOidcSignIn({ sessions, now, onPerson })
  let oidc: ReturnType<typeof loadOidc> | undefined
  const application = createConsole({
    ...parts,
    base,
    live,
    drafts: createDrafts(now),
    sessions,
    signIn: createSignIn({ sessions, now }),
    oidc: () => (oidc ??= loadOidc()),
    isBehindProxy: listener === undefined,
  })
  const listening = await listen(application)
  // What was accepted lately is read once, half a second of work: now, so the first alert does not wait for it.
  void shown.control.later('').catch(shown.onError)
  const stopping = new AbortController()
  const sweeping = sweepFeeds(parts, stopping.signal)
  return {
    /** Its address for people at this machine; behind a proxy, its public address. */
    url: `${listener === undefined ? originOf(first) : `http://${hostText(listener.host)}:${listening.port}`}${base}/`,
    /** Something was changed, by this process or another. */
    changed(change: OwnChange | StoreChange): void {
      // Somebody may have signed out.
      if (change.of === 'state' && change.key === 'console') void live.verify()
      if (change.of !== 'state' || shownState.has(change.key)) live.changed()
    },
    async stop(): Promise<void> {
      live.end()
      stopping.abort()
      await listening.close()
      await sweeping
    },
  }
}

/** Each hour, also for feeds that nobody reads. */
async function sweepFeeds(parts: Pick<StartParts, 'shown' | 'console'>, signal: AbortSignal): Promise<void> {
  const { clock, onError } = parts.shown
  while (!signal.aborted) {
    await clock.sleep(hourMs, signal)
    if (!signal.aborted) await withdrawOfGone(parts).catch(onError)
  }
}

function originOf({ publicUrl }: Console): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).origin
}

function hostText(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** What pages show beside entries. */
const shownState = new Set<string>(['subscription', 'troubles', 'silences'])
