import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { fileForms } from '../../../../src/console/export/files.ts'
import { AlertRecord, dictionary, recordOf } from '../../../../src/console/export/record.ts'
import type { StoredAlert } from '../../../../src/console/query.ts'
import type { AlertEvent } from '../../../../src/event/event.ts'
import { alert, levels, noFigures } from '../../../support/fakes/events.ts'
import { nasty } from '../../../system/security/texts.ts'

const root = 'https://desk.example/console'

function stored(changes: Partial<AlertEvent> = {}): StoredAlert {
  const at = '2026-11-21T13:05:03.000Z'
  return {
    seq: 1,
    entry: alert(changes),
    outcomes: {
      'ai-desk': { state: 'sent', at, attempts: 1, receipt: { text: 'r' } },
      politics: { state: 'not_sent', rule: 'minDelta', why: 'small' },
    },
  }
}

async function file(form: keyof typeof fileForms, alerts: StoredAlert[]): Promise<string> {
  async function* batches() {
    for (const alert of alerts) yield [recordOf(alert, root, { state: 'new' })]
  }
  let text = ''
  for await (const part of fileForms[form].write(batches())) text += part
  return text
}

const figures = { ...noFigures, state: 'visible', levels: levels() } as const

describe('a CSV file', () => {
  test('has a header and a row for each, by RFC 4180', async () => {
    const text = await file('csv', [stored({ figures, delta: -6 })])
    const [header, row, ...rest] = text.split('\r\n')
    expect(header?.split(',')).toEqual(Object.keys(AlertRecord.shape))
    expect(rest).toEqual([''])
    expect(row).not.toContain('\n')
    const [read] = parse(text, { columns: true, record_delimiter: '\r\n' })
    expect(read).toMatchObject({
      id: 'evt_1',
      url: 'https://desk.example/console/alerts/evt_1',
      model: 'claude',
      // A number: no apostrophe.
      delta: '-6',
      rateBefore: '18.1',
      rateNow: '30',
      revises: '',
      outcomes: 'ai-desk=sent; politics=not_sent',
    })
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1', '－1', '=cmd|" /C calc"!A0', '\r\n=1'])(
    'holds no formula: %j',
    async (text) => {
      const changes = { id: text, model: text, category: text, type: text, methodology: text }
      const csv = await file('csv', [stored(changes)])
      const rows: string[][] = parse(csv, { record_delimiter: '\r\n' })
      expect(
        rows[1]?.filter((cell) => /^[=+\-@\t\r＝＋－＠]/.test(cell) && Number.isNaN(Number(cell))),
      ).toEqual([])
    },
  )

  test('holds any text of the service, a row for each alert', async () => {
    const texts = nasty.map((text) => text.slice(0, 5_000))
    const alerts = texts.map((text) => stored({ model: text, category: text, type: text, id: `evt ${text}` }))
    const rows: string[][] = parse(await file('csv', alerts), { record_delimiter: '\r\n' })
    expect(rows).toHaveLength(alerts.length + 1)
    expect(new Set(rows.map(({ length }) => length))).toEqual(
      new Set([Object.keys(AlertRecord.shape).length]),
    )
  })
})

describe('a JSON file', () => {
  test('is an array of what the schema says, also of none', async () => {
    const alerts = [stored({ figures }), stored({ id: 'evt_2', revises: 'evt_1' })]
    const read: unknown[] = JSON.parse(await file('json', alerts))
    expect(read.map((one) => AlertRecord.parse(one).id)).toEqual(['evt_1', 'evt_2'])
    expect(JSON.parse(await file('json', []))).toEqual([])
  })
})

test('the data dictionary says what stands in each column', async () => {
  const columns = dictionary()
  expect(columns.filter(({ form, is }) => form === '' || is === '')).toEqual([])
  const rows = columns.map(({ name, form, is }) => `| \`${name}\` | ${form} | ${is} |`)
  const page = `# The columns of a file of alerts

Each alert is a row of a CSV file, or an object in JSON ([files](http.md#files)) and in the API, newest first. What was not said, or not known
when it came, is an empty cell, or \`null\`.

| column | form | what it is |
| --- | --- | --- |
${rows.join('\n')}
`
  await expect(page).toMatchFileSnapshot('../../../../docs/dictionary.md')
})
