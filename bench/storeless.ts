import { createMetrics } from '../src/app/metrics.ts'
import { byTurn } from '../src/commands/serve.ts'
import { webhook } from '../src/intake/receive/webhook.ts'
import { systemClock } from '../src/platform/clock.ts'
import { createLog, createRedactor } from '../src/platform/log.ts'
import { listen } from '../src/platform/server/listen.ts'
import { startServer } from '../src/platform/server/server.ts'
import { secret } from './requests.ts'

// The webhook's route as `serve` has it (server, raw bytes, HMAC, payload, metrics, a log line for each delivery),
// in a process of the same shape. There is nothing behind it: every event is new, and none is routed or kept.
const redactor = createRedactor()
redactor.add([secret])
const log = createLog(
  'info',
  redactor,
  byTurn((text) => void process.stderr.write(text)),
)
const metrics = createMetrics({
  backlog: async () => [],
  troubles: () => [],
  polling: () => undefined,
  budgetLeft: async () => undefined,
  showsProcess: true,
  now: systemClock.now,
})
const server = await startServer({
  host: '127.0.0.1',
  port: 0,
  clock: systemClock,
  listen,
  basePath: '',
  sharedPath: undefined,
  chat() {},
  unsubscribing() {},
  webhook: webhook({
    path: '/webhook',
    secrets: () => [secret],
    pinned: {},
    remembered: () => ({ hash: 'sha256', encoding: 'hex', key: 'whole' }),
    remember() {},
    accept: async () => 'new',
    clock: systemClock,
    onReceived({ outcome, eventId, milliseconds }) {
      metrics.received(outcome, milliseconds)
      log.info({ event: eventId, outcome, milliseconds }, 'delivery')
    },
  }),
  metrics,
  ready: () => Promise.reject(new Error('nobody asks')),
  onError: (error) => log.error({ error }, 'while answering'),
})
log.info({ port: server.port }, 'ready')
