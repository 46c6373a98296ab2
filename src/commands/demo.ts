import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../app/app.ts'
import { realEnvironment } from '../app/environment.ts'
import { parseConfig } from '../config/load.ts'
import { startSandbox } from '../sandbox/sandbox.ts'
import { painted } from '../text/painted.ts'
import { stopSignal } from './stop-signal.ts'
import type { Terminal } from './terminal.ts'

/** About one event in eight seconds: at speed 1 the sandbox has one a day. */
const speed = 10_800

/** So that nobody waits for the world to change. All three channels want it. */
const first = { type: 'censorship_spike', model: 'claude', category: 'political', delta: 12 }

/** What a newsroom would write, with the terminal in the place of accounts. */
const configuration = `
monitor:
  baseUrl: \${SERVICE}
  apiKey: sandbox-free
webhook:
  publicUrl: http://127.0.0.1:\${PORT}
# At this speed a reading is two seconds old when the next one comes.
polling:
  mode: off
server:
  host: 127.0.0.1
  port: \${PORT}
store: file:\${STORE}
log: warn
operators: [newsroom]
channels:
  - name: newsroom
    type: console
    as: slack
  - name: politics-discord
    type: console
    as: discord
    categories: [political]
  - name: big-changes-mail
    type: console
    as: email
    minDelta: 8
`

/** The sandbox, the bot and three channels in one process; nothing is kept and no account is needed. */
export async function demo(options: { seed: number }, terminal: Terminal): Promise<void> {
  const stopped = stopSignal()
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-demo-'))
  // Also where it ends because nobody reads on, or could not begin.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const heading = (text: string) => painted('bold', text, terminal.colour)

  const service = await startSandbox({ port: 0, seed: options.seed, speed })
  const config = parseConfig(configuration, 'the demo', {
    SERVICE: service.url,
    PORT: String(port),
    STORE: join(folder, 'store'),
  })
  terminal.out(
    [
      heading('Bluepencil demo'),
      `A monitoring service (the sandbox) runs at ${service.url}, Bluepencil at http://127.0.0.1:${port}.`,
      'Bluepencil subscribes there by itself; three channels are shown here as they would read: newsroom (Slack, everything),',
      'politics-discord (Discord, political prompts only), big-changes-mail (e-mail, 8 percentage points or more).',
      'Events come every few seconds; stop with Ctrl+C. Next: README.md, "Set it up".',
      '',
      '',
    ].join('\n'),
  )
  const app = await startApp(config, {
    ...realEnvironment,
    writeLog: terminal.note,
    out: { write: terminal.out, width: terminal.width, colour: terminal.colour },
    onSubscription(state) {
      if (state === 'active') service.fire(first)
    },
  })
  await stopped
  await app.stop()
  await service.close()
}

/** One that nobody listens on now; the service must be told the address before we listen on it. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('there is no free port')
  return address.port
}
