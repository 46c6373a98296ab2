import { type AlertEvent, isFinding, type Notice } from '../../event/event.ts'
import { type PollingState, pollingStateFrom } from '../../intake/poll/state.ts'
import type { DeliveryAttempt } from '../../service/sandbox/deliveries.ts'
import type { PostResult } from '../../service/sandbox/post.ts'
import type { StoredEntry } from '../../store/store.ts'
import type { DemoStage } from './playing.ts'

/** The nth try to deliver an event, when it has ended. */
export function attempt({ service, until }: DemoStage, id: string, number: number): Promise<DeliveryAttempt> {
  return until('a delivery', async () => {
    return service.deliveries().filter(({ eventId }) => eventId === id)[number - 1]
  })
}

export function answerOf(answer: PostResult): string {
  return 'status' in answer ? `answered ${answer.status}` : `no answer (${answer.error})`
}

/** An event with what became of it, when nothing of it waits. */
export function settled({ control, until }: DemoStage, id: string): Promise<StoredEntry> {
  return until('the alerts', async () => {
    const row = await control.event(id)
    const isWaiting = Object.values(row?.outcomes ?? {}).some(({ state }) => state === 'waiting')
    return isWaiting ? undefined : row
  })
}

/** What polling has decided by its last reading of the figures; undefined before the first. */
export async function pollingOf({
  control,
  clock,
}: DemoStage): Promise<PollingState['decision'] | undefined> {
  const { succeededAt, decision } = pollingStateFrom((await control.status()).polling, clock.now())
  return succeededAt === null ? undefined : decision
}

/** The change that polling found, when it has. */
export function findingOf({ control, until }: DemoStage): Promise<AlertEvent> {
  return until('polling to find the change', async () => {
    const rows = await control.events({ limit: 100 })
    return rows.flatMap(({ entry }) => (entry.kind === 'alert' && isFinding(entry) ? [entry] : []))[0]
  })
}

/** A notice to the operators, when it is there. */
export function noticeOf({ control, until }: DemoStage, phase: Notice['phase']): Promise<Notice> {
  return until('a notice to the operators', async () => {
    const rows = await control.events({ limit: 100 })
    return rows.flatMap(({ entry }) => (entry.kind === 'notice' && entry.phase === phase ? [entry] : []))[0]
  })
}
