import { execFileSync } from 'node:child_process'
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { freePort } from '../test/support/free-port.ts'
import { generate, killAll, startTheirs } from './child.ts'
import type { Load } from './job.ts'
import { type Kind, secret } from './requests.ts'
import { connections, type Scale } from './scale.ts'
import { told, undisturbed } from './stolen.ts'
import { perSecond, type Row } from './table.ts'

interface Rival {
  kind: Exclude<Kind, 'bluepencil'>
  what: string
  /** What it does not do of what is compared. */
  remark: string
  /** The status that says that it took the event. */
  takes: number
  /** The command and its arguments; undefined where it is not installed. */
  command(folder: string, port: number): [string, ...string[]] | undefined
  version(): string
}

const rivals: Rival[] = [
  {
    kind: 'webhook',
    what: "Debian's webhook, HMAC rule",
    remark: 'one process an event; stores nothing',
    takes: 200,
    command(folder, port) {
      const program = installed('webhook')
      if (program === undefined) return undefined
      const hooks = join(folder, 'hooks.json')
      writeFileSync(hooks, JSON.stringify([hook]))
      return [program, '-hooks', hooks, '-ip', '127.0.0.1', '-port', String(port)]
    },
    version: () => execFileSync('webhook', ['-version'], { encoding: 'utf8' }),
  },
  {
    kind: 'octokit',
    what: '@octokit/webhooks, middleware',
    remark: 'verifies; stores nothing',
    takes: 200,
    command: (_folder, port) => [
      process.execPath,
      new URL('./octokit.ts', import.meta.url).pathname,
      String(port),
    ],
    version: () =>
      readFileSync(new URL('../node_modules/@octokit/webhooks/package.json', import.meta.url), 'utf8'),
  },
  {
    kind: 'alertmanager',
    what: "Alertmanager's /api/v2/alerts",
    remark: 'no signature; in memory',
    takes: 200,
    command(folder, port) {
      const program = installed('prometheus-alertmanager')
      if (program === undefined) return undefined
      const config = join(folder, 'alertmanager.yml')
      writeFileSync(config, 'route: { receiver: nobody }\nreceivers: [{ name: nobody }]\n')
      return [
        program,
        `--config.file=${config}`,
        `--storage.path=${join(folder, 'alertmanager')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--cluster.listen-address=',
      ]
    },
    version: () => execFileSync('prometheus-alertmanager', ['--version'], { encoding: 'utf8' }),
  },
]

/** As its documentation shows it for GitHub: the body signed with HMAC-SHA256. */
const hook = {
  id: 'event',
  'execute-command': '/bin/true',
  'pass-arguments-to-command': [{ source: 'payload', name: 'id' }],
  'trigger-rule': {
    match: {
      type: 'payload-hmac-sha256',
      secret,
      parameter: { source: 'header', name: 'X-Service-Signature' },
    },
  },
}

/** Part (e): what people would use instead, under the same load, as far as it is installed. */
export async function measureRivals(folder: string, scale: Scale): Promise<Row[]> {
  const rows: Row[] = []
  for (const rival of rivals) {
    const port = await freePort()
    const command = rival.command(folder, port)
    if (command === undefined) {
      rows.push({ what: rival.what, result: 'not installed' })
      continue
    }
    try {
      rows.push(await measured(rival, scale, () => measure(folder, rival, command, port, scale)))
    } catch (error) {
      // What others do is beside the point; the rest of the table stands without it.
      killAll()
      rows.push({ what: rival.what, result: 'failed' })
      process.stderr.write(`${String(error)}\n`)
    }
  }
  return rows
}

async function measured(rival: Rival, scale: Scale, measure: () => Promise<Load>): Promise<Row> {
  const tries = await undisturbed(measure, scale.attempts)
  const { rate, p50, p99 } = tries.counted
  const [version = ''] = /\d+\.\d+\.\d+/.exec(rival.version()) ?? []
  const remark = `${told([tries])}; ${rival.remark}`
  return { what: `${rival.what}, ${version}`, result: perSecond(rate), p50, p99, remark }
}

async function measure(
  folder: string,
  rival: Rival,
  [program, ...args]: [string, ...string[]],
  port: number,
  scale: Scale,
): Promise<Load> {
  const child = await startTheirs(folder, program, args, port)
  const load = await generate({
    kind: rival.kind,
    port,
    connections,
    run: rival.kind,
    warmUp: scale.warmUp,
    repeats: rival.kind === 'webhook' ? 0 : scale.repeats,
    requests: scale.rivalRequests,
    expect: rival.takes,
    expectAgain: rival.takes,
  })
  await child.stop()
  return load
}

function installed(program: string): string | undefined {
  const paths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program))
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
