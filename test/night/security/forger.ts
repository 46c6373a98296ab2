import { Agent, request } from 'node:http'

/**
 * A process of its own, as its work would slow the clock of the test. `node forger.ts PORT COUNT` sends so
 * many forged deliveries, 64 at a time, each with another signature. It prints how many were answered 401.
 */
const [port = '', count = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const body = JSON.stringify({ id: 'evt_forged', type: 'policy_change', model: 'claude' })
let next = 0
let refused = 0

function forge(): Promise<void> {
  const signature = (next++).toString(16).padStart(64, '0')
  const headers = { 'x-service-signature': `sha256=${signature}`, 'content-length': body.length }
  return new Promise((resolve, reject) => {
    const delivery = request({ host: '127.0.0.1', port, path: '/webhook', method: 'POST', agent, headers })
    delivery.on('error', reject)
    delivery.on('response', (answer) => {
      if (answer.statusCode === 401) refused += 1
      answer.resume().on('end', resolve).on('error', reject)
    })
    delivery.end(body)
  })
}

async function forgeOn(): Promise<void> {
  while (next < Number(count)) await forge()
}

await Promise.all(Array.from({ length: 64 }, forgeOn))
agent.destroy()
process.stdout.write(`${refused}\n`)
