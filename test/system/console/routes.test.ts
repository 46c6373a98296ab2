import { describe, expect, test } from 'vitest'
import { guarded, isRefused, mayBy, names, type Row, routesDesk, table } from './routes.ts'

const { ask, acts, cookies, tokens, ofPrograms, found } = routesDesk()

const formOf = ({ method }: Row, name: string) =>
  method === 'POST' ? { fields: { token: tokens[name] ?? '', key: 'k' } } : {}

/** The routes that answered otherwise than they are to, or that did something although it was refused. */
async function wrongOf(asked: Row[], isRight: (row: Row) => Promise<boolean>): Promise<string[]> {
  const wrong: string[] = []
  const first = await acts()
  let before = first
  for (const row of asked) {
    if (!(await isRight(row))) wrong.push(row.route)
    if (row.method === 'GET') continue
    const after = await acts()
    if (after !== before) wrong.push(`${row.route} did something`)
    before = after
  }
  expect(await acts()).toBe(first)
  return wrong
}

test('every route of the console is in the table, and nothing else is', () => {
  const routes = table.map(({ route }) => route)
  expect(new Set(found())).toEqual(new Set([...routes, 'GET /console', 'GET /']))
  expect(routes).toContain('GET /alerts/:id')
})

describe('each route', () => {
  test('is refused to nobody, to a forged cookie, and to one that was signed out', async () => {
    const wrong = await wrongOf(guarded, async (row) => {
      const { method, path } = row
      const without = await ask(method, path, formOf(row, 'ana'))
      if (!isRefused(without) || without.text.includes('Claude’s refusal rate')) return false
      for (const name of ['forged', 'signedOut']) {
        const answer = await ask(method, path, { cookie: cookies[name] ?? '', ...formOf(row, 'ana') })
        if (!isRefused(answer)) return false
      }
      return true
    })
    expect(wrong).toEqual([])
  })

  test.each(names.filter((name) => name !== 'ana'))(
    'is refused to %s if their role is not enough',
    async (name) => {
      const ofOthers = guarded.filter(({ needs }) => !mayBy(name, needs))
      const wrong = await wrongOf(ofOthers, async (row) => {
        const answer = await ask(row.method, row.path, { cookie: cookies[name] ?? '', ...formOf(row, name) })
        return answer.status === 403 && answer.text.includes(`It needs the role ${row.needs}`)
      })
      expect(wrong).toEqual([])
    },
  )

  test.each(names)('is shown to %s if their role is enough', async (name) => {
    const permitted = guarded.filter(({ method, needs }) => method === 'GET' && mayBy(name, needs))
    const wrong = await wrongOf(permitted, async ({ method, path }) => {
      // The message is at its provider.
      const status = path.includes('/sent/') ? 303 : 200
      return (await ask(method, path, { cookie: cookies[name] ?? '' })).status === status
    })
    expect(wrong).toEqual([])
  })

  test('is opened by a token where it was made for it, and nowhere else', async () => {
    const wrong = await wrongOf(guarded, async (row) => {
      const { method, path, needs } = row
      for (const use of ['feeds', 'api'] as const) {
        const inAddress = await ask(method, `${path}?token=${ofPrograms[use]}`, formOf(row, 'ana'))
        const headers = { authorization: `Bearer ${ofPrograms[use]}` }
        const inHeader = await ask(method, path, { headers, ...formOf(row, 'ana') })
        if (isRefused(inAddress) === (needs === 'feeds' && use === 'feeds')) return false
        if (isRefused(inHeader) === (needs === 'api' && use === 'api')) return false
      }
      return true
    })
    expect(wrong).toEqual([])
  })
})

describe('each form', () => {
  test.each<[string, object, Record<string, string>]>([
    ['without its token', {}, {}],
    ['with a token that is made up', { token: 'made up' }, {}],
    ['with somebody else’s', { token: 'of ben' }, {}],
    ['from another site', { token: 'own' }, { origin: 'https://evil.example' }],
    ['that the browser says is from elsewhere', { token: 'own' }, { 'sec-fetch-site': 'cross-site' }],
    ['from a page without an address', { token: 'own' }, { origin: 'null' }],
  ])('%s does nothing', async (_, given, headers) => {
    const written = { 'of ben': tokens.ben, own: tokens.ana, 'made up': 'A'.repeat(43) }
    const fields = Object.fromEntries(
      Object.entries(given).map(([name, of]) => [name, written[of as keyof typeof written] ?? '']),
    )
    const forms = guarded.filter(({ method }) => method === 'POST')
    const wrong = await wrongOf(forms, async ({ path }) => {
      const form = { cookie: cookies.ana ?? '', headers, fields: { key: 'k', ...fields } }
      const answer = await ask('POST', path, form)
      return answer.status === 403 && answer.text.includes('Nothing was done')
    })
    expect(wrong).toEqual([])
  })
})
