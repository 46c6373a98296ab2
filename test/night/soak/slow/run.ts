/** `npm run slow -- --minutes 10`: providers that answer after 1 to 50 s; no alert may be there twice or out of order. */
import { parseArgs } from 'node:util'
import { runSlow } from './slow.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const minutes = Number(values.minutes)
const seed = Number(values.seed)
/** A channel takes 25 s for a message; what is behind at the end has its time after. */
const everyMs = 30_000
const events = Math.max(1, Math.round((minutes * 60_000) / everyMs))

process.stdout.write(`seed ${seed}: ${events} alerts in ${minutes} minutes, each answer after 1 to 50 s\n`)
const began = performance.now()
const rows = await runSlow({ seed, leastMs: 1_000, mostMs: 50_000, events, everyMs })
for (const { channel, sent, copies, orderKept } of rows) {
  const order = orderKept ? 'order kept' : 'OUT OF ORDER'
  process.stdout.write(`${channel.padEnd(16)} ${sent} of ${events} sent, ${copies} copies, ${order}\n`)
}
process.stdout.write(`${((performance.now() - began) / 60_000).toFixed(1)} minutes\n`)
if (rows.some(({ sent, copies, orderKept }) => sent !== events || copies > 0 || !orderKept))
  process.exitCode = 1
