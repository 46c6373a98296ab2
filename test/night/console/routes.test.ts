import { describe, expect, test } from 'vitest'
import { harmful } from '../../system/console/markup.ts'
import { harmIn, parameters, routesDesk, rows } from '../../system/console/routes.ts'

const { ask, fieldsOf, cookies, tokens } = routesDesk()

describe('a script in what is asked, alone,', () => {
  test.each(rows.filter(({ method }) => method === 'GET'))(
    'of $route is harmless, in each of its parameters and in none of its own',
    // A picture is drawn for each of them: half a minute, and twice that on a busy machine.
    { timeout: 180_000 },
    async ({ path }) => {
      const cookie = cookies.ana ?? ''
      const harm: string[] = []
      for (const name of [...parameters, harmful('name')]) {
        const query = `${encodeURIComponent(name)}=${encodeURIComponent(harmful(name))}`
        harm.push(...harmIn(await ask('GET', `${path}?${query}`, { cookie }), name))
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
