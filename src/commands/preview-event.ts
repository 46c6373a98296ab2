import { configuredParts } from '../config/configured-parts.ts'
import type { Config } from '../config/schema.ts'
import { placesOf } from '../decide/accept/other-content.ts'
import { route } from '../decide/route/route.ts'
import type { Entry } from '../event/event.ts'
import type { Outcome } from '../event/outcome.ts'
import type { Control } from '../people/control/control.ts'
import { nearest, plain } from '../platform/text.ts'
import type { FollowUps } from '../store/near.ts'
import { withControl } from './configuration.ts'
import { CommandFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** What is shown, and of an event of the store what would become of it on the channel now. */
export interface PreviewedEvent {
  entry: Entry
  later: FollowUps
  outcome?: Outcome
}

/** Among so many of the newest, the one that may be meant is looked for. */
const newest = 1_000

/** An event of the store as it stands now, and what would become of it on a channel. */
export function storedEvent(
  id: string,
  { name }: Config['channels'][number],
  config: Config,
  terminal: Terminal,
): Promise<PreviewedEvent> {
  return withControl(config, terminal, async (control) => {
    const entry = (await control.event(id))?.entry
    if (entry === undefined) throw await unknown(id, control)
    if (entry.kind === 'act')
      throw new CommandFailure(`${plain(id)} is what a person did, and no message of its own`)
    const known = { corrects: await corrected(entry, control), silences: await control.acts.silences() }
    const outcome = route(entry, configuredParts(config).routing, Date.now(), known)[name]
    return { entry, later: await control.later(id), ...(outcome !== undefined && { outcome }) }
  })
}

/** Whoever has the figure that it corrects is sent this one, whatever the filters say. */
async function corrected(entry: Entry, control: Control) {
  if (entry.kind !== 'alert' || entry.revises === undefined || entry.before === undefined) return undefined
  const { outcomes = {} } = (await control.event(entry.revises)) ?? {}
  return placesOf(entry.revises, [{ outcomes }])
}

async function unknown(id: string, control: Control): Promise<CommandFailure> {
  const ids = (await control.events({ limit: newest })).map(({ entry }) => entry.id)
  const meant = ids.length === 0 ? undefined : nearest(id, ids)
  const asked = meant === undefined ? '' : ` (is ${plain(meant)} meant?)`
  return new CommandFailure(`no event ${plain(id)} is stored${asked}; bluepencil events lists what is`)
}
