import type { IRouter } from 'express'
import type { LearntForms } from '../receive/learnt-forms.ts'
import { webhook } from '../receive/webhook.ts'
import type { Reloadable } from './reload.ts'
import type { SharedServices } from './runtime.ts'

interface DeliveriesParts {
  path: string
  reloadable: Reloadable
  /** Which form of signature each secret was last used with. */
  forms: LearntForms
}

/** The webhook by the configuration in force; what came of each delivery is counted, logged and watched. */
export function deliveries(
  { clock, metrics, log, alarms }: SharedServices,
  { path, reloadable, forms }: DeliveriesParts,
): (routes: IRouter) => void {
  return webhook({
    path,
    secrets: reloadable.secrets,
    get pinned() {
      return reloadable.current().config.webhook.signature
    },
    remembered: forms.get,
    remember: forms.set,
    take(event) {
      reloadable.delivered(event)
      return reloadable.take(event)
    },
    clock,
    onReceived({ outcome, eventId, milliseconds, error }) {
      metrics.received(outcome, milliseconds)
      const isOurs = outcome === 'not_stored' || outcome === 'failed'
      const level = isOurs ? 'error' : eventId === undefined ? 'debug' : 'info'
      log[level]({ event: eventId, outcome, milliseconds, error }, 'delivery')
      alarms.received(outcome, eventId)
      reloadable.polling()?.refused(outcome)
    },
  })
}
