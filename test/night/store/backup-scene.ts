import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoredEntry } from '../../../src/store/store.ts'
import { startReceiver } from '../../support/fakes/receiver.ts'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../system/crash/scene.ts'
import { createSender, secret } from '../../system/crash/sender.ts'
import { eachAlone, type Running, run, start } from '../../system/e2e/process.ts'

const channelSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='

/** A newsroom whose alerts go to a program of its own, which stays; services and stores come and go. */
export async function openNewsroom() {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'))
  const receiver = await startReceiver()
  let port = 0

  /** How often each event was sent, by the number that names the message. */
  function told(): Map<string, string[]> {
    const numbers = new Map<string, string[]>()
    for (const { raw, headers } of receiver.received) {
      const [id = ''] = /evt_load_\d+/.exec(raw.toString()) ?? []
      numbers.set(id, [...(numbers.get(id) ?? []), String(headers['webhook-id'])])
    }
    return numbers
  }

  return {
    folder,
    told,
    close: () => receiver.close(),
    /** The configuration of a service on that store. */
    async configuration(name: string, store: string): Promise<string> {
      port = await freePort()
      const file = join(folder, `${name}.yaml`)
      writeFileSync(
        file,
        `
webhook: { secrets: ["${secret}"] }
server: { host: 127.0.0.1, port: ${port} }
log: warn
store: ${store}
channels:
  - { name: own, type: webhook, to: "${receiver.origin}/hook", secret: "${channelSecret}", allowPrivate: true }
`,
      )
      return file
    },
    async serve(config: string): Promise<Running> {
      const soon = new URL('../../support/fakes/soon-again.ts', import.meta.url).href
      const process = start(['serve', '--config', config], {
        env: { NODE_OPTIONS: `${eachAlone} --import=${soon}` },
      })
      await until('serve is ready', async () => {
        const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
        return ready?.status === 200
      })
      return process
    },
    async deliver(id: string): Promise<void> {
      const url = () => `http://127.0.0.1:${port}/webhook`
      await createSender(url, Math.random, () => {}).send([{ id, model: 'claude' }], 1)
    },
    /** Delivers until it is stopped. Answers with the function that stops it, and with what has been accepted. */
    load() {
      const sender = createSender(
        () => `http://127.0.0.1:${port}/webhook`,
        Math.random,
        () => {},
      )
      let isOver = false
      let sent = 0
      const models = ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen']
      const done = (async () => {
        while (!isOver) {
          const events = models.map((model) => ({ id: `evt_load_${++sent}`, model }))
          await sender.send(events, events.length)
        }
      })()
      return {
        accepted: () => new Set(sender.answers.keys()),
        async stop() {
          isOver = true
          await done
        },
      }
    },
    async events(config: string): Promise<Map<string, StoredEntry>> {
      const { stdout } = await run(['events', '--json', '--limit', '100000', '--config', config])
      const rows = stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as StoredEntry)
      return new Map(rows.map((row) => [row.entry.id, row]))
    },
  }
}

export type Newsroom = Awaited<ReturnType<typeof openNewsroom>>

/** A backup beside a service under load, put into another place and served there. Answers what was seen. */
export async function backUpUnderLoad(newsroom: Newsroom, from: string, to: string) {
  const first = await newsroom.configuration('first', from)
  const serving = await newsroom.serve(first)
  const load = newsroom.load()
  await until('something was accepted', () => load.accepted().size >= 100)
  const acceptedBefore = load.accepted()
  const file = join(newsroom.folder, 'backup.tar.gz')
  // So that the alert that is asked for below is chained; what came after it may not be yet.
  await run(['evidence', 'evt_load_2', '--config', first, '--output', join(newsroom.folder, 'first.json')])
  const made = await run(['backup', file, '--config', first, '--json'])
  const acceptedAfter = load.accepted()
  await load.stop()
  serving.kill('SIGKILL')
  await serving.ended

  const second = await newsroom.configuration('second', to)
  const proof = join(newsroom.folder, 'proof.json')
  const restored = await run(['restore', file, '--config', second, '--json'])
  const again = await run(['restore', file, '--config', second])
  const events = await newsroom.events(second)
  const evidence = await run(['evidence', 'evt_load_2', '--config', second, '--output', proof])
  const verified = await run(['verify', proof])
  const toldBefore = newsroom.told()
  const servingAgain = await newsroom.serve(second)
  const isThere = () => {
    const there = newsroom.told()
    return [...events.keys()].every((id) => there.has(id))
  }
  // A command takes a second of a processor: it is asked when all is there.
  await until('all that was pending is sent', isThere, 240_000)
  const isPending = ({ outcomes }: StoredEntry) => outcomes.own?.state === 'waiting'
  const pending = async () => [...(await newsroom.events(second)).values()].some(isPending)
  await until('it is recorded', async () => !(await pending()))
  servingAgain.kill()
  await servingAgain.ended
  return {
    file,
    second,
    made,
    restored,
    again,
    evidence,
    verified,
    acceptedBefore,
    acceptedAfter,
    events,
    toldBefore,
    toldAfter: newsroom.told(),
    sentInBackup: [...events.values()].flatMap(({ entry, outcomes }) =>
      outcomes.own?.state === 'sent' ? [entry.id] : [],
    ),
  }
}
