import type { Entry } from '../../event/event.ts'
import type { Outcome } from '../../event/outcome.ts'
import { counted } from '../../platform/text.ts'
import type { StoredEntry } from '../../store/store.ts'
import type { DemoPrinter } from './say.ts'
import type { DemoStage } from './stage.ts'
import { get } from './stage.ts'

/** What happened in all: deliveries as Bluepencil's metrics count them, alerts as they are stored. */
export async function summarise(
  { origin, control, service }: DemoStage,
  say: DemoPrinter,
  tookMs: number,
): Promise<void> {
  const came = await deliveriesAt(origin)
  const broken = service.deliveries().filter((one) => 'error' in one).length
  const kinds = [
    `${came.get('accepted') ?? 0} accepted`,
    counted(came.get('duplicate') ?? 0, 'repeat'),
    `${came.get('forged') ?? 0} forged`,
  ]
  const total = [...came.values()].reduce((sum, count) => sum + count, 0)
  say.line(
    `${counted(total, 'delivery', 'deliveries')}: ${kinds.join(', ')}; ${counted(broken, 'try', 'tries')} got no answer.`,
  )
  const { changes, sent, twice } = accountOf(await control.events({ limit: 100 }))
  say.rows(sent)
  const who = twice.length === 0 ? 'no channel was alerted twice' : `alerted twice: ${twice.join(', ')}`
  say.line(`${counted(changes, 'change')}; ${who}. It took ${Math.round(tookMs / 1_000)} s.`)
}

/**
 * What each channel got, and the channels that got two alerts about one change. The demo has one change for each model and
 * category, so this count does not depend on how Bluepencil matches alerts. Pure.
 */
export function accountOf(rows: readonly Pick<StoredEntry, 'entry' | 'outcomes'>[]): {
  changes: number
  sent: [string, string][]
  twice: string[]
} {
  const channels = [...new Set(rows.flatMap(({ outcomes }) => Object.keys(outcomes)))]
  const changes = rows.flatMap(({ entry }) => changeOf(entry) ?? [])
  return {
    changes: new Set(changes).size,
    sent: channels.map((channel) => [channel, sentOn(channel, rows)]),
    twice: channels.filter((channel) => {
      const alerts = rows.filter(({ outcomes }) => outcomes[channel]?.state === 'sent')
      const told = alerts.flatMap(({ entry }) => changeOf(entry) ?? [])
      return new Set(told).size < told.length
    }),
  }
}

function changeOf(entry: Entry): string | undefined {
  return entry.kind === 'alert' ? `${entry.model} ${entry.category}` : undefined
}

async function deliveriesAt(origin: string): Promise<Map<string, number>> {
  const metrics = await get(`${origin}/metrics`)
  const counts = metrics.matchAll(/^bluepencil_deliveries_received_total\{outcome="(\w+)"\} (\d+)/gm)
  return new Map(Array.from(counts, ([, outcome = '', count]) => [outcome, Number(count)]))
}

function sentOn(channel: string, rows: readonly Pick<StoredEntry, 'entry' | 'outcomes'>[]): string {
  const sent = rows.flatMap(({ entry, outcomes }) => {
    const outcome: Outcome | undefined = outcomes[channel]
    return outcome?.state === 'sent' ? [{ kind: entry.kind, isEdited: outcome.editedAt !== undefined }] : []
  })
  const ofKind = (kind: Entry['kind']) => sent.filter((one) => one.kind === kind)
  const edited = ofKind('alert').filter(({ isEdited }) => isEdited).length
  const notices = ofKind('notice').length
  return [
    `${counted(ofKind('alert').length, 'alert')} sent`,
    ...(edited === 0 ? [] : [`${edited} edited`]),
    ...(notices === 0 ? [] : [`${counted(notices, 'notice')} to the operators`]),
  ].join(', ')
}
