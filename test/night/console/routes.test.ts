import { describe, expect, test } from 'vitest'
import { harmful } from '../../system/console/markup.ts'
import { harmIn, parameters, routesDesk, rows } from '../../system/console/routes.ts'

const { ask, fieldsOf, cookies, tokens } = routesDesk()

const atOnce = 20

describe('a script in what is asked, alone,', () => {
  // For each parameter the page is made anew: twenty in a test.
  const names = [...parameters, harmful('name')]
  const groups = Array.from({ length: Math.ceil(names.length / atOnce) }, (_, part) =>
    names.slice(part * atOnce, (part + 1) * atOnce),
  )
  const cases = rows
    .filter(({ method }) => method === 'GET')
    .flatMap(({ route, path }) => groups.map((among) => ({ route, path, among })))

  test.each(cases)(
    'of $route is harmless, in each of its parameters and in none of its own: $among.0 …',
    async ({ path, among }) => {
      const cookie = cookies.ana ?? ''
      const harm: string[] = []
      // A picture takes half a second and has no text to put a script into: all parameters in one question.
      for (const together of path.endsWith('.png') ? [among] : among.map((name) => [name])) {
        const query = new URLSearchParams(together.map((name) => [name, harmful(name)]))
        harm.push(...harmIn(await ask('GET', `${path}?${query}`, { cookie }), together.join()))
      }
      expect(harm).toEqual([])
    },
  )

  // Last what signs the administrator out.
  test.each(rows.filter(({ method }) => method === 'POST'))(
    'of $route is harmless, in each field of our forms',
    async ({ path }) => {
      const cookie = cookies.ana ?? ''
      const harm: string[] = []
      const { own } = await fieldsOf(`/console${path}`)
      for (const name of own) {
        const fields = { [name]: harmful(name), token: tokens.ana ?? '' }
        harm.push(...harmIn(await ask('POST', path, { cookie, fields }), name))
      }
      expect(harm).toEqual([])
    },
  )
})
