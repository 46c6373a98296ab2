import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readConfigFile } from '../../../src/config/load.ts'
import { openApp } from '../../support/app.ts'
import { type ScriptedService, startScriptedService } from '../../unit/service/client/scripted-service.ts'
import { runHere } from './run-here.ts'

const folder = mkdtempSync(join(tmpdir(), 'bluepencil-check-'))
let service: ScriptedService

function configured(data: string, more = ''): string {
  const file = join(folder, `${data}.yaml`)
  writeFileSync(
    file,
    `store: file:${folder}/${data}
server: { host: 127.0.0.1, port: 0 }
monitor: { baseUrl: "${service.baseUrl}", apiKey: key-of-the-desk-4711, tier: 1000 }
polling: { mode: "off" }
webhook: { publicUrl: "https://desk.example/webhook"${more} }
channels: [{ name: desk, type: console, models: [claude], events: [policy_change] }]
`,
  )
  return file
}

/** What check says of the subscription, and the exit code. */
async function check(file: string): Promise<string> {
  const { code, stdout } = await runHere(['check', '--config', file])
  return `${code} ${/^ +(\w+ +subscription: .*)$/m.exec(stdout)?.[1]}`
}

beforeAll(async () => {
  service = await startScriptedService()
  // serve makes one, and holds its secret.
  let subscription = ''
  const opened = openApp({
    onSubscription(state) {
      subscription = state
    },
  })
  const app = await opened.start(readConfigFile(configured('served'), {}).compose({}))
  await vi.waitUntil(() => subscription === 'active', { interval: 5 })
  await app.stop()
})
afterAll(() => service.close())
beforeEach(() => {
  service.writeOne = ({ secret: _hidden, ...rest }) => rest
})

describe('check judges a subscription as serve does', () => {
  const passes = expect.stringMatching(/^0 ok {4}subscription: wh_1 .* https:\/\/desk\.example\/webhook/)

  test.each([
    ['without a status', { status: undefined }],
    ['with a status in other words', { status: 'ENABLED' }],
    ['whose address is written otherwise', { url: 'HTTPS://Desk.Example:443/webhook/' }],
    ['whose choice is in another order', { models: ['CLAUDE', 'claude'] }],
    ['that does not show what it is for', { models: undefined, events: undefined }],
  ])('one %s passes', async (_, change) => {
    service.writeOne = ({ secret: _hidden, ...rest }) => ({ ...rest, ...change })
    expect(await check(configured('served'))).toEqual(passes)
  })

  test.each([
    [
      'that is off',
      { status: 'disabled' },
      /shows wh_1 as "disabled" instead of active\. serve will replace it/,
    ],
    ['for other models', { models: ['qwen'] }, /models qwen instead of claude\. serve will replace it/],
  ])('one %s does not', async (_, change, why) => {
    service.writeOne = ({ secret: _hidden, ...rest }) => ({ ...rest, ...change })
    const output = await check(configured('served'))
    expect(output).toMatch(/^1 FAIL {2}subscription: /)
    expect(output).toMatch(why)
  })

  test('one whose secret nobody has here does not, and nothing is changed', async () => {
    const before = service.received.length
    expect(await check(configured('empty'))).toBe(
      '1 FAIL  subscription: Bluepencil does not have the secret of wh_1. serve will replace it.',
    )
    expect(service.received.slice(before).every(({ method }) => method === 'GET')).toBe(true)
  })

  test('the operator’s own passes with its secret in the configuration', async () => {
    const file = configured('by-hand', ', secrets: [whsec_made_by_the_operator]')
    expect(await check(file)).toEqual(passes)
  })

  test('a second one does not pass', async () => {
    const second = service.add({ models: ['claude'], events: ['policy_change'] })
    expect(await check(configured('served'))).toMatch(/^1 FAIL {2}subscription: .*serve will delete wh_2/)
    service.subscriptions.delete(second.id)
  })

  test('where there is none, serve will make one', async () => {
    service.writeList = () => []
    service.script = ({ path }, response) => {
      if (path.endsWith('/webhooks')) return undefined
      response.writeHead(404).end()
      return 'answered'
    }
    expect(await check(configured('served'))).toMatch(
      /^0 ok {4}subscription: none yet for .* serve will make one/,
    )
  })
})
