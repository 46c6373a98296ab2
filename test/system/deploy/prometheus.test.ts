import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import type { Outcome } from '../../../src/event/outcome.ts'
import type { ReceivedDelivery } from '../../../src/intake/receive/webhook.ts'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { openDesk } from '../console/desk.ts'

const rulesFile = 'docs/deploy/prometheus-rules.yml'
const Rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
})
const Dashboard = z.object({
  panels: z.array(
    z.object({ id: z.int(), title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) }),
  ),
})

const rules = Rules.parse(parse(readFileSync(rulesFile, 'utf8'))).groups.flatMap((group) => group.rules)
const { panels } = Dashboard.parse(JSON.parse(readFileSync('docs/deploy/grafana.json', 'utf8')))
const queries = [
  ...rules.map(({ alert, expr }) => ({ by: alert, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ by: title, expr }))),
]

/** Of Prometheus itself. */
const promtool = spawnSync('promtool', ['--version']).status === 0
const noPromtool = promtool ? '' : ': there is no promtool (apt-get install prometheus)'

const ends: (() => Promise<void>)[] = []
/** What `serve` exports, by name, with the labels of its samples. */
const exported = new Map<string, Set<string>>()
let text = ''

beforeAll(async () => {
  const service = await startSandbox({ port: 0, seed: 7 })
  ends.push(() => service.close())
  const desk = await openDesk(
    { monitor: { baseUrl: service.url, apiKey: 'sandbox-pro', tier: 'pro' } },
    { closing: (end) => void ends.push(end) },
  )
  await desk.deliver('evt_1')
  await fetch(`http://127.0.0.1:${desk.app.port}/webhook`, { method: 'POST', body: '{}' })
  await vi.waitUntil(async () => {
    text = await (await fetch(`http://127.0.0.1:${desk.app.port}/metrics`)).text()
    return /^bluepencil_notifications_total\{/m.test(text)
  }, 90_000)
  for (const [, name = ''] of text.matchAll(/^# TYPE (\w+)/gm)) exported.set(name, new Set())
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)\{([^}]*)\}/gm)) {
    const labelNames = exported.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) labelNames.add(label)
    exported.set(name, labelNames)
  }
}, 120_000)
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

const outcomes = {
  accepted: 0,
  duplicate: 0,
  unsigned: 0,
  forged: 0,
  too_large: 0,
  too_slow: 0,
  broken: 0,
  no_secret: 0,
  not_stored: 0,
  failed: 0,
} satisfies Record<ReceivedDelivery['outcome'], 0>
const states = { waiting: 0, sent: 0, failed: 0, not_sent: 0, held: 0, merged: 0 } satisfies Record<
  Outcome['state'],
  0
>
/** By metric and label: most of these are not there while all is well. */
const possible: Record<string, Record<string, string[]>> = {
  bluepencil_deliveries_received_total: { outcome: Object.keys(outcomes) },
  bluepencil_notifications_total: { outcome: Object.keys(states) },
  bluepencil_polling_mode: { mode: ['full', 'slow', 'off'] },
}

/** Labels that Prometheus adds. */
const added = new Set(['job', 'instance'])

describe('what the rules and the dashboard ask for', () => {
  test('is exported by serve, under that name', () => {
    const unknown = queries.flatMap(({ by, expr }) =>
      [...expr.matchAll(/\b(?:bluepencil|process|nodejs)_\w+/g)].flatMap(([name]) =>
        exported.has(name) ? [] : [`${by}: ${name}`],
      ),
    )
    expect(unknown).toEqual([])
    expect(queries.filter(({ expr }) => !/\b(?:bluepencil|process|nodejs)_\w+|\bup\b/.test(expr))).toEqual([])
  })

  test('has the labels that it is chosen by', () => {
    const unknown = queries.flatMap(({ by, expr }) =>
      [...expr.matchAll(/\b((?:bluepencil|process|nodejs)_\w+)\{([^}]*)\}/g)].flatMap(
        ([, name = '', selectors = '']) => {
          const labels = exported.get(name)
          // Nothing of it has happened here, and so it shows no label.
          if (labels === undefined || labels.size === 0) return []
          const chosen = Array.from(selectors.matchAll(/(\w+)\s*[=!]/g), ([, label = '']) => label)
          return chosen
            .filter((label) => !labels.has(label) && !added.has(label))
            .map((label) => `${by}: ${name}{${label}}`)
        },
      ),
    )
    expect(unknown).toEqual([])
  })

  test('has the values that it is chosen by', () => {
    const unknown = queries.flatMap(({ by, expr }) =>
      [...expr.matchAll(/\b(bluepencil_\w+)\{([^}]*)\}/g)].flatMap(([, name = '', selectors = '']) =>
        [...selectors.matchAll(/(\w+)\s*=~?\s*"([^"$]+)"/g)].flatMap(([, label = '', values = '']) =>
          values
            .split('|')
            .filter((value) => possible[name]?.[label]?.includes(value) !== true)
            .map((value) => `${by}: ${name}{${label}="${value}"}`),
        ),
      ),
    )
    expect(unknown).toEqual([])
  })

  test('is all that there is to see, each metric of ours on the dashboard', () => {
    const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join(' ')
    const ours = Array.from(text.matchAll(/^# TYPE (bluepencil_\w+)/gm), ([, name = '']) => name)
    expect(ours.filter((name) => !shown.includes(name))).toEqual([])
  })

  test('stands in panels of different ids', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  })
})

describe.skipIf(!promtool)(`promtool${noPromtool}`, () => {
  function run(args: string[], input = ''): { code: number | null; said: string } {
    const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' })
    return { code: status, said: `${stdout}${stderr}` }
  }

  test('finds nothing wrong with the rules', () => {
    expect(run(['check', 'rules', rulesFile])).toMatchObject({ code: 0 })
  })

  test('sees each rule fire where it is to, and none where all is well', () => {
    const { code, said } = run(['test', 'rules', 'test/system/deploy/prometheus-rules.test.yml'])
    expect([code, said]).toEqual([0, expect.stringContaining('SUCCESS')])
    const tried = readFileSync('test/system/deploy/prometheus-rules.test.yml', 'utf8')
    expect(rules.filter(({ alert }) => tried.split(`alertname: ${alert}`).length !== 3)).toEqual([])
  })

  test('can read each query of the dashboard', () => {
    const folder = mkdtempSync(join(tmpdir(), 'promtool-'))
    const file = join(folder, 'rules.json')
    const recorded = panels.flatMap(({ id, targets }) =>
      targets.map(({ expr }, index) => ({
        record: `panel:${id}:${index}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      })),
    )
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }))
    expect(run(['check', 'rules', file])).toMatchObject({ code: 0 })
    rmSync(folder, { recursive: true })
  })

  test('finds nothing wrong with the metrics of ours', () => {
    const ours = text.split('\n').filter((line) => /^(# \w+ )?bluepencil_/.test(line))
    expect(run(['check', 'metrics'], `${ours.join('\n')}\n`)).toEqual({ code: 0, said: '' })
  })
})
