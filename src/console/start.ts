import type { Express } from 'express'
import { type Console, consolePath, ownListener } from '../config/console.ts'
import type { Clock } from '../platform/clock.ts'
import type { Listening } from '../platform/server/listen.ts'
import type { OwnChange } from '../store/observed.ts'
import type { StoredValue } from '../store/state-of.ts'
import type { StoreChange } from '../store/store.ts'
import { openBook } from './access/sessions.ts'
import { createConsole } from './application.ts'
import { readAssets } from './assets.ts'
import { createLive } from './live.ts'
import type { ConsoleParts } from './parts.ts'
import type { SignInTry } from './request.ts'

export interface RunningConsole {
  /** Where it is, for people at this machine; behind a proxy, where all find it. */
  url: string
  /** Something was changed, by this process or another. */
  changed(change: OwnChange | StoreChange): void
  stop(): Promise<void>
}

export interface StartParts {
  shown: ConsoleParts
  /** As at the start: where it listens, and below which path. */
  first: Console
  /** As it is in force: who may. */
  console(): Console
  state: StoredValue
  clock: Clock
  /** The networks of the proxies in front. */
  trustProxy: readonly string[]
  /** Serves it where it is to be: by itself, or below a path of the listener of deliveries. */
  listen(application: Express): Promise<Listening>
  onSignIn(tried: SignInTry): void
}

/** Rejects with `CannotListen`. */
export async function startConsole(parts: StartParts): Promise<RunningConsole> {
  const { first, clock, state, shown } = parts
  const live = createLive()
  const base = consolePath(first)
  const own = ownListener(first)
  const application = createConsole({
    base,
    live,
    book: openBook({ state, now: clock.now }),
    console: parts.console,
    trustProxy: parts.trustProxy,
    isBehindProxy: own === undefined,
    assets: readAssets(),
    shown,
    now: clock.now,
    onSignIn: parts.onSignIn,
  })
  const listening = await parts.listen(application)
  // What was accepted lately is read once, half a second of work: now, so that nobody waits for it at the first alert.
  void shown.control.later('').catch(shown.onError)
  return {
    url: `${own === undefined ? originOf(first) : `http://${hostText(own.host)}:${listening.port}`}${base}/`,
    changed(change) {
      // Somebody may have signed out.
      if (change.of === 'state' && change.key === 'console') void live.verify()
      if (change.of === 'state' && !shownState.has(change.key)) return
      live.noted()
      live.tell()
    },
    async stop() {
      live.end()
      await listening.close()
    },
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
