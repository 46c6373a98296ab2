import type { Config } from '../config/schema.ts'
import type { Silences } from '../converse/silences.ts'
import { type DigestsParts, keepDigests } from '../digest/digests.ts'
import { heldBy } from '../route/holds.ts'
import { startDuty } from './duty.ts'
import type { Reloadable } from './reload.ts'
import type { SharedServices } from './shared-services.ts'

/** Sends what was held when its wait ends; one process does so for all. Begins at once; answers what ends it. */
export function startDigesting(
  { store, clock, log, silences }: SharedServices,
  reloadable: Pick<Reloadable, 'current' | 'take' | 'wake'>,
): () => Promise<void> {
  const onError = (error: unknown) => log.error({ error }, 'while sending what was held')
  const duty = startDuty({
    role: 'digests',
    store,
    clock,
    async begin(takenOver) {
      // The process before may have heard of a silence that this one has not read of.
      if (takenOver) await silences.refresh()
      const ending = new AbortController()
      const kept = keepDigests(
        {
          store,
          clock,
          channels: () => reloadable.current().channels.map(({ name }) => name),
          ...waitsOf({ silences, now: clock.now, config: () => reloadable.current().config }),
          take: (digest) => reloadable.take(digest),
          wake: (channel) => reloadable.wake(channel),
          onError,
        },
        ending.signal,
      )
      return () => {
        ending.abort()
        return kept
      }
    },
    onError,
  })
  return () => duty.stop()
}

/** What is known of the waits that hold alerts: of the silences, and of what the channels ask for. */
export function waitsOf({
  silences,
  now,
  config,
}: {
  silences: Pick<Silences, 'find' | 'inForce'>
  now(): number
  config(): Pick<Config, 'channels'>
}): Pick<DigestsParts, 'silence' | 'stillHeld'> {
  return {
    silence(id) {
      const known = silences.find(id)
      const endedAt = known?.ended && Date.parse(known.ended.at)
      return known && { endedAt, silence: { by: known.by, why: known.why, scope: known.scope } }
    },
    stillHeld(event, channel) {
      const settings = config().channels.find(({ name }) => name === channel)
      return settings && heldBy(event, settings, { silences: silences.inForce(now()), now: now() })
    },
  }
}
