import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { command } from '../../support/command.ts'
import { secret } from '../../support/fakes/signed.ts'
import { configured } from '../../support/served.ts'
import { checked } from './check/checked.ts'

const desk = `webhook: { secrets: [${secret}] }\nchannels: [{ name: desk, type: console }]\n`

/** The same, with its store elsewhere. */
function withStore(place: (folder: string) => string) {
  const { file, folder, serve } = configured(desk)
  const store = place(folder)
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^store: .*$/m, `store: file:${store}`))
  return { file, folder, store, serve }
}

describe('where there is no store', () => {
  test.each([['events'], ['explain', 'evt_1'], ['replay', 'evt_1'], ['ledger'], ['backtest']])(
    '%s says where it looked, and makes none',
    async (...argv) => {
      const { file, folder } = configured(desk)
      expect(await command([...argv, '--config', file])).toEqual({
        code: 1,
        out: '',
        notes: `bluepencil: there is no store in ${folder}/data; start serve once, or correct "store" of the configuration, which counts from the working directory\n`,
      })
      expect(existsSync(join(folder, 'data'))).toBe(false)
    },
  )

  test('check says that serve will make it, and makes none, also in a folder that is there', async () => {
    for (const { file, folder, store } of [withStore((at) => `${at}/a/b`), withStore((at) => at)]) {
      const before = readdirSync(folder)
      const { code, about } = await checked(file)
      expect(code).toBe(0)
      expect(about('store', 'disk')).toMatchObject({
        level: 'ok',
        text: `${store} has no store yet; serve will make it`,
      })
      expect(about('deliveries', 'deliveries')).toMatchObject({
        level: 'ok',
        text: 'none yet: no service has run on this store',
      })
      expect(readdirSync(folder)).toEqual(before)
    }
  })
})

describe.each([
  ['below a file', (folder: string) => `${folder}/b.yaml/data`, /b\.yaml is not a folder/],
  ['that is a file', (folder: string) => `${folder}/b.yaml`, /b\.yaml is not a folder/],
  ['below /proc', () => '/proc/bluepencil', /nothing can be created in \/proc; /],
])('a store %s', (_, place, why) => {
  test('is one sentence of check', async () => {
    const { file, store } = withStore(place)
    const { code, failed } = await checked(file)
    expect(code).toBe(1)
    expect(failed).toEqual([expect.stringMatching(`^store, check: ${store} cannot hold a store: `)])
    expect(failed[0]).toMatch(why)
    expect(failed[0]).toMatch(/; name another folder for it$/)
  })

  test('is one sentence of serve', async () => {
    const { serve, store } = withStore(place)
    await expect(serve()).rejects.toThrow(
      new RegExp(
        `^${store} (is not a folder; name a folder of its own|cannot be created: nothing can be created there; name another folder) for the store$`,
      ),
    )
  })

  test('is none that events could read', async () => {
    const { file, store } = withStore(place)
    expect(await command(['events', '--config', file])).toEqual({
      code: 1,
      out: '',
      notes: expect.stringContaining(`there is no store in ${store}; `),
    })
  })
})
