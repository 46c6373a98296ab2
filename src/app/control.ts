import { sendHeld } from '../decide/digest/release.ts'
import { type Control, localControl } from '../people/control/control.ts'
import { createSendings } from '../people/converse/acts.ts'
import { createSetupKeys, type SetupKeys } from '../people/converse/setup-key.ts'
import { type ConsoleTokens, openTokens } from '../people/converse/tokens.ts'
import { type HourlyUses, hourlyUses } from '../people/converse/uses.ts'
import { stateOf } from '../store/store.ts'
import { releasePartsOf } from './reports.ts'
import type { RunningApp } from './running-app.ts'
import type { SharedServices } from './services.ts'

/** What people ask of this process, by commands beside it and in the console. */
export function controlOf(services: SharedServices, running: RunningApp): Control {
  const { store, acts, clock } = services
  return localControl({
    store,
    now: clock.now,
    channels: () => running.current().channels.map(({ name }) => name),
    running: true,
    makePending: (eventId, channel) => running.replay(eventId, channel),
    resting: () => running.backingOff(),
    acts,
    sendings: createSendings({ now: clock.now, accept: (act) => running.accept(act) }),
    sendHeld: (act) => sendHeld(act, releasePartsOf(services, running)),
    tokens: tokensOf(services),
    close: async () => {},
  })
}

/** Tokens of programs that read what the console shows. */
export function tokensOf({ store, settings, clock, log }: SharedServices): ConsoleTokens {
  return openTokens({ settings, uses: usesOf({ store, clock, log }), now: clock.now })
}

/** When tokens, and people's own feed addresses, were last used. */
export function usesOf({ store, clock, log }: Pick<SharedServices, 'store' | 'clock' | 'log'>): HourlyUses {
  return hourlyUses({
    stored: stateOf(store, 'token-uses'),
    now: clock.now,
    onError: (error) => log.error({ error }, 'the use of a token could not be recorded'),
  })
}

/** Keys that work once, the same for all processes. */
export function setupKeysOf({ store, clock }: Pick<SharedServices, 'store' | 'clock'>): SetupKeys {
  return createSetupKeys({ state: stateOf(store, 'setup'), now: clock.now })
}
