import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { secret } from './requests.ts'

/** Nobody listens there: what is at rest, or filtered out, sends nothing. */
const nowhere = '127.0.0.1:9'

let made = 0

/** The parts of a configuration, as YAML. */
export const channels = {
  /** Wants nothing of what the generator sends. */
  deaf: '- { name: desk, type: console, models: [gemini] }',
  console: '- { name: desk, type: console }',
  email: '- { name: policy-mail, type: email, to: ombud@desk.example }',
  slack: '- { name: ai-desk, type: slack, to: "#ai-desk" }',
  discord: '- { name: politics, type: discord, to: "1180000000000000001" }',
}

/** Keeps a subscription at the service, and never gets a delivery. */
export function subscription(service: string): string {
  return `monitor: { baseUrl: "${service}", apiKey: sandbox-pro }
webhook: { publicUrl: "http://${nowhere}/webhook" }`
}

/** Writes a configuration and answers the arguments of `serve` with it. `store`: its name in the folder, or an address. */
export function serveArgs(
  folder: string,
  store: string,
  rows: readonly string[],
  source = `webhook: { secrets: [${secret}] }`,
): string[] {
  const file = join(folder, `configuration-${made++}.yaml`)
  writeFileSync(
    file,
    `
server: { host: 127.0.0.1, port: 0 }
store: ${store.includes(':') ? store : `file:${join(folder, store)}`}
${source}
slack: { token: xoxb-of-the-bench, apiUrl: "http://${nowhere}/api/", intervalMs: 0 }
discord: { token: token-of-the-bench, apiUrl: "http://${nowhere}/api" }
email: { smtp: "smtp://${nowhere}", from: Bluepencil <bluepencil@desk.example> }
channels:
${rows.map((row) => `  ${row}\n`).join('')}`,
  )
  return ['serve', '--config', file]
}
