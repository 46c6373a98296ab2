import { afterEach, beforeEach, expect, test } from 'vitest'
import { MonitorClient } from '../../../../src/service/client/client.ts'
import { readDataset, readPublication } from '../../../../src/service/client/endpoints/research.ts'
import { json, type ScriptedService, startScriptedService } from './scripted-service.ts'

let service: ScriptedService
let client: MonitorClient

beforeEach(async () => {
  service = await startScriptedService()
  client = new MonitorClient({ baseUrl: service.baseUrl, apiKey: 'key-1234567890' })
})
afterEach(() => service.close())

function answerWith(answer: (path: string) => unknown): void {
  service.script = ({ path }, response) => {
    json(response, 200, answer(path))
    return 'answered'
  }
}

async function all<T>(listed: AsyncIterable<T>): Promise<T[]> {
  const members: T[] = []
  for await (const member of listed) members.push(member)
  return members
}

test('publications of a year are asked for page after page, and one that cannot be read is counted', async () => {
  answerWith((path) =>
    path.includes('cursor=two')
      ? { data: [{ id: 'pub_3' }] }
      : { data: [{ id: 'pub_1' }, { title: 'Nameless' }, { id: 'pub_2' }], next_cursor: 'two' },
  )
  const listed = client.publications({ year: 2026 })
  const ids = []
  for await (const { id } of listed) ids.push(id)
  expect(ids).toEqual(['pub_1', 'pub_2', 'pub_3'])
  expect(listed.unread).toBe(1)
  expect(service.received.map(({ path }) => path)).toEqual([
    '/v1/research/publications?year=2026',
    '/v1/research/publications?year=2026&cursor=two',
  ])
})

test('no page is asked for before its first record is wanted', async () => {
  answerWith(() => ({ items: [{ id: 'one' }, { id: 'two' }], next_cursor: 'more' }))
  for await (const { id } of client.datasets()) if (id === 'two') break
  expect(service.asked()).toEqual(['GET /research/datasets'])
})

test.each([26, 20_260, 2026.5, Number.NaN])('the year %d is refused before any request', (year) => {
  expect(() => client.publications({ year })).toThrow('Write four digits, such as 2026')
  expect(service.received).toEqual([])
})

test('records that all have no id are unintelligible', async () => {
  answerWith(() => [{ name: 'one' }, 7])
  await expect(all(client.datasets())).rejects.toMatchObject({
    name: 'Unintelligible',
    message: expect.stringContaining('2 datasets, but none of them has an id'),
  })
})

test('no records are no error', async () => {
  answerWith(() => ({ results: [] }))
  await expect(all(client.publications())).resolves.toEqual([])
})

const publication = {
  id: 'pub_1',
  title: 'What models refuse',
  authors: ['Ada Lovelace', 'Alan Turing'],
  publishedAt: '2026-03-01T00:00:00.000Z',
  year: 2026,
  url: 'https://service.example/papers/1',
  summary: 'Less than before.',
}

test.each([
  {
    form: 'flat',
    record: {
      id: 'pub_1',
      title: publication.title,
      authors: publication.authors,
      published_at: '2026-03-01',
      year: 2026,
      url: publication.url,
      abstract: publication.summary,
    },
  },
  {
    form: 'nested',
    record: {
      id: 'pub_1',
      type: 'publication',
      attributes: {
        title: ` ${publication.title} `,
        authors: [{ name: 'Ada Lovelace' }, { given: 'Alan', family: 'Turing' }],
        publication_date: '2026-03-01T00:00:00Z',
        summary: publication.summary,
      },
      links: { html: { href: publication.url } },
    },
  },
  {
    form: 'camelCase',
    record: {
      publicationId: 'pub_1',
      title: publication.title,
      author: 'Ada Lovelace; Alan Turing',
      publishedAt: 1_772_323_200_000,
      publicationYear: '2026',
      pdfUrl: publication.url,
      description: publication.summary,
    },
  },
])('a publication is read from its $form form', ({ record }) => {
  expect(readPublication(record)).toEqual(publication)
})

test('of a publication, only the id must be there', () => {
  const none = { title: null, authors: [], publishedAt: null, year: null, url: null, summary: null }
  expect(readPublication({ id: 7, url: 'javascript:alert(1)', year: 'soon' })).toEqual({ id: '7', ...none })
  expect(readPublication({ title: 'Nameless' })).toBeUndefined()
})

test('a year may stand for the date, and a DOI for the address', () => {
  expect(readPublication({ doi: '10.1234/abc', published: 2025 })).toMatchObject({
    id: '10.1234/abc',
    publishedAt: null,
    year: 2025,
    url: 'https://doi.org/10.1234/abc',
  })
})

const dataset = {
  id: 'refusals-2026',
  title: 'Refusals',
  description: 'Every reading.',
  format: 'csv',
  bytes: 12_345,
  records: 7_300,
  updatedAt: '2026-03-01T12:00:00.000Z',
}

test.each([
  {
    form: 'flat',
    record: {
      id: 'refusals-2026',
      name: 'Refusals',
      description: 'Every reading.',
      format: 'csv',
      size_bytes: 12_345,
      record_count: 7_300,
      updated_at: '2026-03-01T12:00:00Z',
    },
  },
  {
    form: 'nested',
    record: {
      dataset_id: 'refusals-2026',
      metadata: { title: 'Refusals', summary: 'Every reading.', rows: '7300', last_updated: 1_772_366_400 },
      file: { format: 'csv', size: 12_345 },
    },
  },
  {
    form: 'camelCase',
    record: {
      datasetId: 'refusals-2026',
      title: 'Refusals',
      description: 'Every reading.',
      fileFormat: 'csv',
      sizeBytes: '12345',
      rowCount: 7_300,
      lastUpdated: '2026-03-01T13:00:00+01:00',
    },
  },
])('a dataset is read from its $form form', ({ record }) => {
  expect(readDataset(record)).toEqual(dataset)
})

test('of a dataset, only the id must be there', () => {
  const none = { title: null, description: null, bytes: null, records: null, updatedAt: null }
  const record = { id: 'one', formats: ['csv', 'json'], size: '12 MB', records: [{}] }
  expect(readDataset(record)).toEqual({ id: 'one', ...none, format: 'csv, json' })
  expect(readDataset([])).toBeUndefined()
})
