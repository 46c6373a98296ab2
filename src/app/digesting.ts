import { keepDigests } from '../decide/digest/digests.ts'
import type { ReleaseParts } from '../decide/digest/release.ts'
import { holdsOf } from '../pipeline.ts'
import { startDuty } from './leadership.ts'
import type { RunningApp } from './running-app.ts'
import type { SharedServices } from './shared-services.ts'

/** Sends what was held when its wait ends; one process does so for all. Begins at once; answers what ends it. */
export function startDigesting(services: SharedServices, reloadable: DigestingApp): () => Promise<void> {
  const { store, clock, log, silences } = services
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
          ...releasing(services, reloadable),
          channels: () => reloadable.current().channels.map(({ name }) => name),
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

type DigestingApp = Pick<RunningApp, 'current' | 'take' | 'wake'>

/** What it takes to send what was held. */
export function releasing(
  { store, clock, silences }: Pick<SharedServices, 'store' | 'clock' | 'silences'>,
  reloadable: DigestingApp,
) {
  return {
    store,
    clock,
    ...holdsOf({ silences, now: clock.now, channels: () => reloadable.current().config.channels }),
    take: (digest) => reloadable.take(digest),
    wake: (channel) => reloadable.wake(channel),
  } satisfies ReleaseParts
}
