import { knownModels } from '../../../src/event/event.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { dayMs } from '../../../src/platform/durations.ts'
import { createArchiving } from '../../../src/record/figures/archiving.ts'
import { MonitorClient } from '../../../src/service/client/client.ts'
import type { Store } from '../../../src/store/store.ts'

/** As polling has read them: pages show what is stored. */
export async function storeFigures({ figures }: Pick<Store, 'figures'>, serviceUrl: string): Promise<void> {
  const { host, pathname } = new URL(serviceUrl)
  const archiving = createArchiving({
    figures,
    service: `${host}${pathname}`,
    rates: 'auto',
    retention: 365 * dayMs,
    clock: systemClock,
    onError(error) {
      throw error
    },
  })
  const client = new MonitorClient({
    baseUrl: serviceUrl,
    apiKey: 'sandbox-enterprise',
    onFigures: archiving.answered,
  })
  for (const model of knownModels)
    for (const category of ['all', 'political', 'safety', 'social'] as const)
      await client.history(model, { period: '90d', category })
  await archiving.written()
}
