import type { Clock } from '../../src/platform/clock.ts'
import { createArchiving } from '../../src/record/figures/archiving.ts'
import { createFigureReader } from '../../src/record/figures/reader.ts'
import type { AnsweredFigures, MonitorClient } from '../../src/service/client/client.ts'
import type { RateUnit } from '../../src/service/client/readers/rates.ts'
import type { FigureStore } from '../../src/store/figures.ts'
import { createMemoryBacking } from './memory-store.ts'

const archiveService = 'service.example/v1'

/** What is known of published figures, as the application keeps and reads it; `asked`: the requests that the service got. */
export function openArchive(
  clock: Clock,
  client: Pick<MonitorClient, 'history'>,
  {
    figures = createMemoryBacking(clock).open().figures,
    rates = 'auto',
    maySpend = async () => true,
    onError = (error: unknown): void => {
      throw error
    },
  }: {
    figures?: FigureStore
    rates?: 'auto' | RateUnit
    maySpend?: () => Promise<boolean>
    onError?: (error: unknown) => void
  } = {},
) {
  const requests: string[] = []
  const retention = 1_826 * 86_400_000
  const service = archiveService
  const archiving = createArchiving({ figures, service, rates, retention, clock, onError })
  const heard: Pick<MonitorClient, 'history'> = {
    async history(model, query = {}, signal) {
      requests.push(`${model} ${query.category} ${query.period}`)
      const history = await client.history(model, query, signal)
      archiving.answered({ of: 'history', model, query, history })
      return history
    },
  }
  return {
    figures,
    service,
    asked: requests,
    answered: async (answer: AnsweredFigures) => {
      archiving.answered(answer)
      await archiving.written()
    },
    reader: (how: Parameters<typeof createFigureReader>[1]) =>
      createFigureReader({ client: heard, figures, archiving, service, maySpend, clock }, how),
  }
}
