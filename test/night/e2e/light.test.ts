import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { endAll, start } from '../../system/e2e/process.ts'

afterEach(endAll)

/** What Node loads for `fetch`, WebSocket and HTTP/2. */
const heavy = ['NativeModule internal/deps/undici/undici', 'NativeModule http2']
const say = `
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'
const files = []
registerHooks({ load: (url, context, next) => (files.push(url), next(url, context)) })
const languages = []
for (const name of Object.getOwnPropertyNames(Intl)) {
  if (!/^[A-Z]/.test(name)) continue
  Intl[name] = new Proxy(Intl[name], { construct: (...made) => (languages.push(name), Reflect.construct(...made)) })
}
process.on('exit', () => isMainThread && console.error(JSON.stringify({ loaded: process.moduleLoadList, files, languages })))`
/** Of `init`, the options alone are known to every command. */
const ofInit = /@inquirer|commands\/init\/|config\/setup\/(?!(questions|channel-questions|answers)\.ts)/
const ofConsole = /src\/console\/|node_modules\/(hono|helmet)\//

function configured(channels: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-light-'))
  const configFile = join(folder, 'b.yaml')
  writeFileSync(
    configFile,
    `
store: file:${folder}/data
server: { host: 127.0.0.1, port: 0 }
webhook: { secrets: [whsec_of_the_test_of_the_desk] }
${channels}
`,
  )
  return configFile
}

const startSaying = (...args: string[]) =>
  start(args, { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(say)}` } })

const loadedBy = (channels: string) => loadedFrom(configured(channels))

async function loadedFrom(configFile: string): Promise<Record<string, unknown>> {
  const process = startSaying('serve', '--config', configFile)
  await vi.waitUntil(() => process.log().some(({ message }) => message === 'ready'), { timeout: 20_000 })
  process.kill('SIGTERM')
  expect(await process.ended).toBe(0)
  return process.log().find((line) => line.loaded !== undefined) ?? {}
}

test('a desk with webhooks and e-mail carries no HTTP client at rest, no client of Postgres, no prompts of init, and no console', async () => {
  const loaded = await loadedBy(`
email: { smtp: "smtp://127.0.0.1:9", from: bluepencil@desk.example }
channels: [{ name: desk, type: email, to: desk@desk.example }]`)
  expect(loaded.loaded).toContain('NativeModule http')
  for (const module of heavy) expect(loaded.loaded).not.toContain(module)
  const files = z.array(z.string()).parse(loaded.files)
  expect(files).toContainEqual(expect.stringMatching(/config\/setup\/questions\.ts$/))
  expect(files.filter((file) => ofInit.test(file))).toEqual([])
  expect(files.filter((file) => /store\/postgres\/|node_modules\/pg/.test(file))).toEqual([])
  // No console is configured.
  expect(files.filter((file) => ofConsole.test(file))).toEqual([])
})

test('a desk at rest has not had Node read what it knows of languages, which takes 6 MB', async () => {
  const loaded = await loadedBy('channels: [{ name: desk, type: console }]')
  expect(loaded.loaded).toContain('NativeModule http')
  expect(loaded.languages).toEqual([])
})

test('a command that reads the store carries no server', async () => {
  const config = configured('channels: [{ name: desk, type: console }]')
  await loadedFrom(config)
  const process = startSaying('events', '--config', config)
  expect(await process.ended).toBe(0)
  const files = z.array(z.string()).parse(process.log().find((line) => line.files !== undefined)?.files)
  expect(files).toContainEqual(expect.stringMatching(/people\/control\/connect\.ts$/))
  expect(files.filter((file) => /node_modules\/express\/|people\/control\/socket\.ts$/.test(file))).toEqual(
    [],
  )
})
