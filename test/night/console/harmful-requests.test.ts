import { describe, expect, test } from 'vitest'
import { harmful } from '../../system/console/markup.ts'
import {
  guarded,
  harmIn,
  isNothing,
  isRefused,
  parameters,
  routesDesk,
  rows,
} from '../../system/console/routes.ts'

const { ask, acts, fieldsOf, cookies, tokens } = routesDesk()

test('another method than that of a route does nothing, and shows nobody anything', async () => {
  const before = await acts()
  for (const path of new Set(guarded.map((row) => row.path))) {
    const methods = new Set<string>(rows.filter((row) => row.path === path).map(({ method }) => method))
    if (methods.has('GET')) methods.add('HEAD')
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const nobody = await ask(method, path)
      expect([method, path, isRefused(nobody) || isNothing(nobody)]).toEqual([method, path, true])
      if (methods.has(method)) continue
      const admin = await ask(method, path, { cookie: cookies.ana ?? '' })
      expect([method, path, isNothing(admin)]).toEqual([method, path, true])
    }
  }
  expect(await acts()).toBe(before)
})

// Each of them alone: routes.test.ts.
describe('a script in what is asked is harmless', () => {
  test('in every parameter, also as a list, and in the path', async () => {
    const cookie = cookies.ana ?? ''
    const harm: string[] = []
    const queryOf = (ending: string) =>
      [...parameters, harmful('name')]
        .map((name) => `${encodeURIComponent(name)}${ending}=${encodeURIComponent(harmful(name))}`)
        .join('&')
    for (const { method, path, pattern, route } of rows) {
      if (method !== 'GET') continue
      const inPath = pattern.replace(/:\w+/, encodeURIComponent(harmful('path')))
      for (const target of [`${path}?${queryOf('')}`, `${path}?${queryOf('[]')}`, inPath])
        harm.push(...harmIn(await ask('GET', target, { cookie }), route))
    }
    expect(harm).toEqual([])
  })

  test('in every field of our forms, and in the path', async () => {
    const cookie = cookies.ana ?? ''
    const harm: string[] = []
    const token = tokens.ana ?? ''
    for (const { method, path, pattern, route } of rows) {
      if (method !== 'POST') continue
      const { all } = await fieldsOf(`/console${path}`)
      const fields = { ...Object.fromEntries(all.map((name) => [name, harmful(name)])), token }
      harm.push(...harmIn(await ask('POST', path, { cookie, fields }), route))
      const inPath = pattern.replace(/:\w+/, encodeURIComponent(harmful('path')))
      harm.push(...harmIn(await ask('POST', inPath, { cookie, fields: { token } }), route))
    }
    expect(harm).toEqual([])
  })
})

test('after all of that each page of an administrator is harmless, and each act has its person', async () => {
  // That of the other one was among what was signed out.
  const cookie = cookies.second ?? ''
  const harm: string[] = []
  for (const { method, path } of rows) {
    if (method === 'GET') harm.push(...harmIn(await ask('GET', path, { cookie }), path))
  }
  const { text } = await ask('GET', '/log', { cookie })
  expect(harm).toEqual([])
  expect(text).toContain('ana acknowledged <a')
  expect(text).not.toContain('eve acknowledged')
})
