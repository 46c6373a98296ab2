import type { IRouter } from 'express'
import type { LearntForms } from '../intake/receive/learnt-forms.ts'
import { type ReceivedDelivery, webhook } from '../intake/receive/webhook.ts'
import type { RunningApp } from './running-app.ts'
import type { SharedServices } from './shared-services.ts'

/** An event that is accepted has a line of its own, with its outcomes. What strangers send is no news. */
const levelOf: Record<ReceivedDelivery['outcome'], 'debug' | 'info' | 'error'> = {
  accepted: 'debug',
  duplicate: 'info',
  unsigned: 'debug',
  forged: 'debug',
  too_large: 'debug',
  too_slow: 'debug',
  broken: 'debug',
  no_secret: 'debug',
  not_stored: 'error',
  failed: 'error',
}

interface DeliveriesParts {
  path: string
  reloadable: RunningApp
  /** Which form of signature each secret was last used with. */
  forms: LearntForms
}

/** The webhook by the configuration in force; what came of each delivery is counted, logged and watched. */
export function deliveries(
  { clock, metrics, log, alarms, contact }: SharedServices,
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
      contact.noted()
      reloadable.delivered(event)
      return reloadable.take(event)
    },
    clock,
    onReceived({ outcome, eventId, milliseconds, error }) {
      metrics.received(outcome, milliseconds)
      log[levelOf[outcome]]({ event: eventId, outcome, milliseconds, error }, 'delivery')
      alarms.received(outcome, eventId)
      reloadable.polling()?.refused(outcome)
    },
  })
}
