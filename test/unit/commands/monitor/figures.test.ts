import { writeFileSync } from 'node:fs'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { historyCategories, historyPeriods } from '../../../../src/service/client/endpoints/history.ts'
import { ask, researcher, sandbox, service } from './asked.ts'

const everything = [
  ['metrics', 'claude'],
  ['history', 'claude', '--period', '90d', '--category', 'political'],
  ['history', 'claude'],
  ['compare', 'claude,gemini,qwen'],
  ['bias', 'claude', '--topics', 'political,economic'],
  ['publications', '--year', '2026'],
  ['datasets'],
].map((argv) => [argv] as const)

describe('for people', () => {
  test('a chart of the rate in percent, the versions, the last value with its interval, and what stands behind it', async () => {
    const config = researcher(await sandbox({ 'sample-size': 'per-category' }))
    const { code, out, notes } = await ask(config, ['history', 'claude', '--period', '1y'])
    expect({ code, notes }).toEqual({ code: 0, notes: '' })
    expect(out).toMatch(/^Claude: overall refusal rate, 1y, \d+ readings\n/)
    expect(out.match(/^ +\d+\.\d% ┤/gm)).toHaveLength(9)
    expect(out).toMatch(/\n +2025-11-2\d +2026-05-\d\d +2026-11-21\n/)
    expect(out).toMatch(/\n▲ 202\d-\d\d-\d\d {2}version \d\.\d → \d\.\d\n/)
    expect(out).toMatch(/\nprompts +last +95% interval +mean +lowest +highest +change\n/)
    expect(out).toMatch(
      /\npolitical +\d+\.\d% +\d+\.\d–\d+\.\d% .* [+−]?\d\.\d \([+−]\d\.\d to [+−]\d\.\d\)\n/,
    )
    expect(out).toContain('Change: mean of the second half minus mean of the first, in percentage points')
    expect(out.replaceAll('\n', ' ')).toMatch(
      /500 prompts · last updated 2026-11-21 12:00Z · the service’s rates read as fractions \(inferred\)/,
    )
  })

  test('where a category’s own size is not given, it says that its interval is too narrow', async () => {
    const { out } = await ask(researcher(await sandbox()), ['metrics', 'claude'])
    expect(out.replaceAll('\n', ' ')).toContain('political, safety: computed with the number of all prompts')
  })

  test('differences are in percentage points', async () => {
    const { out } = await ask(researcher(await sandbox()), ['compare', 'claude,qwen'])
    expect(out).toMatch(
      /^overall refusal rate\nClaude +█.*\nQwen +█.*\nHighest minus lowest: \d+\.\d percentage points \(± \d\.\d\)\n/,
    )
  })

  test('what a bias score cannot say is said beside it', async () => {
    const { out } = await ask(researcher(await sandbox()), ['bias', 'claude'])
    const text = out.replaceAll(/\s+/g, ' ')
    expect(text).toContain('or what a sign means. It publishes no error of a score, so there is no interval.')
  })

  test.each(everything)('%j fits a terminal of 52 columns and one of 100', async (argv) => {
    const config = researcher(await sandbox())
    for (const width of [52, 100]) {
      const { code, out } = await ask(config, argv, width)
      expect(code).toBe(0)
      const lines = out.split('\n').filter((line) => argv[0] !== 'publications' && stringWidth(line) > width)
      expect(lines).toEqual([])
    }
  })
})

describe('for machines', () => {
  test.each(everything)('%j is one JSON document', async (argv) => {
    const { code, out } = await ask(researcher(await sandbox()), [...argv, '--json'])
    expect(code).toBe(0)
    expect(Object.keys(JSON.parse(out))).toEqual(documented[argv[0] ?? ''])
  })

  test.each(everything)('%j is a table with a row for each, in CSV', async (argv) => {
    const config = researcher(await sandbox())
    const { out } = await ask(config, [...argv, '--csv'])
    const rows = out.split('\r\n')
    expect(rows.at(-1)).toBe('')
    expect(rows[0]?.split(',')).toEqual(header[argv[0] ?? ''])
    expect(rows.length).toBeGreaterThan(2)
  })

  test('rates are in percent in CSV, and the same from a service that writes fractions and one that writes percent', async () => {
    const tables = await Promise.all(
      (['fraction', 'percent'] as const).map(async (rates) => {
        const config = researcher(await sandbox({ rates }))
        return (await ask(config, ['history', 'claude', '--period', '7d', '--csv'])).out
      }),
    )
    expect(tables[0]).toMatch(
      /\r\nclaude,2026-11-21T12:00:00\.000Z,[\d.]+,[1-9][\d.]*,[\d.]+,[\d.]+,[\d.]+,500\r\n/,
    )
    expect(tables[1]).toBe(tables[0])
  })
})

test('a comparison is the same table in each form of answer', async () => {
  const tables = await Promise.all(
    (['list', 'by-model', 'by-metric'] as const).map(async (shape) => {
      const config = researcher(await sandbox({ 'compare-shape': shape }))
      return (await ask(config, ['compare', 'claude,qwen', '--csv'])).out
    }),
  )
  expect(tables[0]).toMatch(/\r\nqwen,.*,500,2026-11-21T12:00:00\.000Z\r\n$/)
  expect(tables).toEqual([tables[0], tables[0], tables[0]])
})

describe('the unit of rates', () => {
  const ambiguous = () =>
    service((_, response) => {
      response.end(
        JSON.stringify({ model: 'claude', metrics: { overall_refusal_rate: 0.4 }, sample_size: 500 }),
      )
    })

  test.each([
    { sample: { sample_size: 500 }, unitFrom: 'inferred' },
    { sample: { sample_size: { overall: 500, political: 200 } }, unitFrom: 'inferred' },
    // These may be just two of the categories, so the total may be larger.
    { sample: { sample_size: { political: 200, safety: 200 } }, unitFrom: 'assumed' },
    { sample: {}, unitFrom: 'assumed' },
  ])('of one rate with $sample is $unitFrom', async ({ sample, unitFrom }) => {
    const metrics = { model: 'claude', metrics: { overall_refusal_rate: 0.222 }, ...sample }
    const url = await service((_, response) => response.end(JSON.stringify(metrics)))
    const { out } = await ask(researcher(url), ['metrics', 'claude', '--json'])
    expect(JSON.parse(out)).toMatchObject({ unit: 'fraction', unitFrom })
  })

  test('that is ambiguous is assumed, and marked as assumed, also for machines', async () => {
    const { out, notes } = await ask(researcher(await ambiguous()), ['metrics', 'claude', '--json'])
    expect(JSON.parse(out)).toMatchObject({ overallRefusalRate: 0.4, unit: 'fraction', unitFrom: 'assumed' })
    expect(notes).toContain('Set monitor.rates to be sure.')
  })

  test('is taken from the configuration where it is there', async () => {
    const config = researcher(await ambiguous(), { rates: 'percent' })
    const { out, notes } = await ask(config, ['metrics', 'claude'])
    expect(out).toMatch(/\noverall +0\.4% +0\.1–1\.4%\n/)
    expect(out.replaceAll('\n', ' ')).toContain('read as percent (configured)')
    expect(notes).toBe('')
  })
})

test('nothing that the service writes reaches a terminal as a command or a spreadsheet as a formula', async () => {
  const evil = '=HYPERLINK("x")\u001b]0;t\u0007\u202e\r\n\u009b31m'
  const config = researcher(
    await service(({ url = '' }, response) => {
      const record = { id: evil, title: evil, authors: [evil], format: evil, summary: evil }
      const topics = [{ topic: evil, score: 1 }]
      const metrics = { overall_refusal_rate: 0.1 }
      const point = { at: '2026-11-21T00:00:00Z', version: evil, overall_refusal_rate: 0.1 }
      const answers = {
        bias: { topics },
        history: { data: [point, { ...point, at: '2026-11-20T00:00:00Z' }] },
      }
      const key = url.includes('/bias/') ? 'bias' : url.includes('/history') ? 'history' : undefined
      const list = url.includes('/research/')
        ? [record]
        : { model: evil, version: evil, trend: evil, metrics }
      response.end(JSON.stringify(key === undefined ? list : { model: evil, ...answers[key] }))
    }),
  )
  const tables: string[] = []
  for (const [argv] of everything) {
    for (const form of [[], ['--json'], ['--csv']]) {
      const { code, out, notes } = await ask(config, [...argv, ...form])
      expect({ argv, code }).toEqual({ argv, code: 0 })
      expect((out + notes).replaceAll('\r\n', '').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      if (form[0] === '--csv') tables.push(out)
    }
  }
  expect(tables.join('\r\n')).not.toMatch(/(^|,|\r\n)"?=/)
})

describe('what cannot be had is said clearly', () => {
  test.each([
    [
      ['history', 'claude', '--period', '2d'],
      2,
      `'2d' is invalid. Allowed choices are ${historyPeriods.join(', ')}.`,
    ],
    [['history', 'claude', '--category', 'x'], 2, `Allowed choices are ${historyCategories.join(', ')}.`],
    [['publications', '--year', '26'], 2, /It must be a year of four digits\./],
    [['compare', ','], 2, /Write names with commas between, such as a,b\./],
    [['metrics', 'claude', '--json', '--csv'], 2, /'--json' cannot be used with option '--csv'/],
    [['metrics', 'claude', '--xml'], 2, /unknown option '--xml'/],
    [['metrics', 'gpt'], 1, /no such model: gpt; it has chatgpt, claude, gemini, mistral, qwen\./],
    [['compare', 'claude,gpt'], 1, /no such model: gpt; it has/],
    [['bias', 'claude', '--topics', 'x'], 1, /topics are political, social, economic/],
  ])('%j', async (argv, code, message) => {
    const answer = await ask(researcher(await sandbox()), argv)
    expect(answer.notes).toMatch(message)
    expect(answer).toMatchObject({ code, out: '' })
    expect(answer.notes).not.toMatch(/^\s+at /m)
  })

  test('an address without /v1, which answers 404 for a model that exists', async () => {
    const config = researcher((await sandbox()).replace(/\/v1$/, ''))
    const { code, notes } = await ask(config, ['metrics', 'claude'])
    expect(notes).toContain(
      'does not know claude, although its documentation names it; check that monitor.baseUrl ends in /v1',
    )
    expect(code).toBe(1)
  })

  test('a wrong key, and where to get a valid one', async () => {
    const config = researcher(await sandbox(), { apiKey: 'sk-wrong' })
    const { code, notes } = await ask(config, ['metrics', 'claude'])
    expect(notes).toContain('Copy a current key from the service’s dashboard to monitor.apiKey.')
    expect(notes).not.toContain('sk-wrong')
    expect(code).toBe(1)
  })

  test('a budget that is spent, and when there is one again', async () => {
    const config = researcher(await sandbox(), { tier: 20 })
    // Of twenty in an hour people have a quarter, and three of those five at once.
    for (const model of ['claude', 'gemini', 'qwen']) await ask(config, ['metrics', model])
    const { code, notes } = await ask(config, ['metrics', 'claude'])
    expect(notes).toMatch(/No request was made: .* Try again in \d+ s/)
    expect(code).toBe(1)
  })

  test('a configuration without the service', async () => {
    const config = researcher(await sandbox())
    writeFileSync(config, 'log: info\n')
    expect(await ask(config, ['datasets'])).toEqual({
      code: 2,
      out: '',
      notes: `bluepencil: ${config}: monitor: is missing; set monitor.baseUrl and monitor.apiKey or monitor.oauth\n`,
    })
  })
})

const rate = ['overall', 'political', 'safety']
const measured = ['model', 'version', ...rate.map((name) => `${name}_refusal_percent`)]
const header: Record<string, string[]> = {
  metrics: [...measured, 'bias_score', 'trend', 'sample_size', 'last_updated'],
  compare: [...measured, 'bias_score', 'trend', 'sample_size', 'last_updated'],
  history: [
    'model',
    'at',
    'version',
    ...[...rate, 'social'].map((name) => `${name}_refusal_percent`),
    'sample_size',
  ],
  bias: ['model', 'topic', 'bias_score', 'sample_size', 'last_updated'],
  publications: ['id', 'title', 'authors', 'published_at', 'year', 'url', 'summary'],
  datasets: ['id', 'title', 'description', 'format', 'bytes', 'records', 'updated_at'],
}
const unit = ['unit', 'unitFrom']
const documented: Record<string, string[]> = {
  metrics: [
    'model',
    'version',
    ...rate.map((name) => `${name}RefusalRate`),
    'biasScore',
    'trend',
    'lastUpdated',
    'sampleSize',
    'sampleSizes',
    ...unit,
  ],
  history: [
    'model',
    'points',
    'categories',
    'sampleSize',
    'sampleSizes',
    'lastUpdated',
    'unread',
    'period',
    'category',
    ...unit,
  ],
  compare: ['models', 'missing', 'sampleSize', 'lastUpdated', 'unread', ...unit],
  bias: ['model', 'score', 'topics', 'sampleSize', 'lastUpdated', 'unread'],
  publications: ['publications'],
  datasets: ['datasets'],
}
