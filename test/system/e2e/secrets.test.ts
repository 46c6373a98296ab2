import { createHmac } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfigFile } from '../../../src/config/load.ts'
import { openApp } from '../../support/app.ts'
import { startScriptedService } from '../../unit/service/client/scripted-service.ts'
import { run as runAlone } from './process.ts'
import { runHere } from './run-here.ts'

const folder = mkdtempSync(join(tmpdir(), 'bluepencil-secrets-'))
const desk = 'server: { host: 127.0.0.1, port: 0 }\nchannels: [{ name: desk, type: console }]\n'

function configured(text: string): string {
  const file = join(mkdtempSync(join(folder, 'one-')), 'b.yaml')
  writeFileSync(file, `store: file:${folder}/data\n${desk}${text}`)
  return file
}

test('check and serve refuse a signing secret that is none with its place, and say what to do', async () => {
  const refused = [
    ['a', 'has fewer than 16 bytes, whsec_ not counted'],
    [' ', 'is empty'],
    ['changeme', 'is a placeholder and no secret'],
    ['whsec_****************', 'is masked: the service shows stars, dots or the like in place of the secret'],
  ] as const
  const answers: unknown[] = []
  const expected: unknown[] = []
  for (const command of ['check', 'serve']) {
    for (const [secret, why] of refused) {
      const file = configured(`webhook:\n  secrets:\n    - "${secret}"\n`)
      // One of them as an operator runs it.
      const run = command === 'serve' && secret === 'a' ? runAlone : runHere
      answers.push({ command, secret, ...(await run([command, '--config', file])) })
      const stderr = `${file}:6:7: webhook.secrets[0]: ${why}; copy the whole secret that the service showed when the subscription was made, or make a new one\n`
      expected.push({ command, secret, code: 2, stdout: '', stderr })
    }
  }
  expect(answers).toEqual(expected)
})

test('a secret that stands for too few bytes where signature.key is base64-decoded is refused', async () => {
  const file = configured(
    'webhook: { secrets: [whsec_c2hvcnQgYnV0IG9rYXk=], signature: { key: base64-decoded } }\n',
  )
  const { code, stderr } = await runHere(['check', '--config', file])
  expect(stderr).toMatch(/webhook\.secrets\[0\]: stands for bytes that cannot sign: .*fewer than 16 bytes/)
  expect(code).toBe(2)
})

test('a signing secret that is the service’s key is refused', async () => {
  const file = configured(
    'monitor: { baseUrl: "https://monitor.example/v1", apiKey: sk_live_kT9vQ2xLr7mZp4wB8n }\nwebhook: { secrets: [sk_live_kT9vQ2xLr7mZp4wB8n] }\n',
  )
  const { code, stderr } = await runHere(['check', '--config', file])
  expect(stderr).toMatch(/webhook\.secrets\[0\]: is the same as monitor\.apiKey/)
  expect(stderr).not.toContain('sk_live')
  expect(code).toBe(2)
})

test('serve does not believe what is signed with the mask that the service gave in place of a secret', async () => {
  const mask = 'whsec_****************'
  const service = await startScriptedService()
  onTestFinished(() => service.close())
  service.writeOne = (one) => ({ ...one, secret: mask })
  const file = configured(
    `monitor: { baseUrl: "${service.baseUrl}", apiKey: sk_live_kT9vQ2xLr7mZp4wB8n }\npolling: { mode: "off" }\nwebhook: { publicUrl: "https://desk.example/webhook" }\n`,
  )
  const app = await openApp().start(readConfigFile(file, {}).compose({}))
  onTestFinished(() => app.stop())
  await vi.waitUntil(() => service.asked().includes('DELETE /webhooks/wh_1'))
  const body = JSON.stringify({ id: 'evt_forged', type: 'policy_change', model: 'claude', delta: '+40pp' })
  const signature = createHmac('sha256', mask).update(body).digest('hex')
  const answer = await fetch(`http://127.0.0.1:${app.port}/webhook`, {
    method: 'POST',
    body,
    headers: { 'X-Service-Signature': signature },
  })
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ error: { code: 'NO_SECRET' } })
})

describe('subscriptions create', () => {
  test.each([null, 'whsec_****************'])(
    'where the service gives %j for the secret, asks for it and says that it was not shown',
    async (secret) => {
      const service = await startScriptedService()
      onTestFinished(() => service.close())
      service.writeOne = (one) => ({ ...one, secret })
      const file = configured(
        `monitor: { baseUrl: "${service.baseUrl}", apiKey: sk_live_kT9vQ2xLr7mZp4wB8n }\n`,
      )
      const command = ['subscriptions', 'create', '--url', 'https://desk.example/webhook', '--config', file]
      const run = await runHere(command)
      expect(run).toEqual({
        code: 1,
        stdout: 'wh_1 delivers to https://desk.example/webhook.\n',
        stderr: expect.stringMatching(
          /^bluepencil: the service did not show the secret of wh_1.*subscriptions delete wh_1\n$/,
        ),
      })
      expect(service.asked()).toEqual(['POST /webhooks', 'GET /webhooks/wh_1'])
      const json = await runHere([...command, '--json'])
      expect(JSON.parse(json.stdout)).toMatchObject({ id: 'wh_2', secret: null })
      expect(json.code).toBe(1)
    },
  )

  test('prints a secret that is shown when it is asked for', async () => {
    const service = await startScriptedService()
    onTestFinished(() => service.close())
    service.writeOne = (one, at) => ({ ...one, secret: at === 'create' ? null : one.secret })
    const file = configured(
      `monitor: { baseUrl: "${service.baseUrl}", apiKey: sk_live_kT9vQ2xLr7mZp4wB8n }\n`,
    )
    const { code, stdout } = await runHere([
      'subscriptions',
      'create',
      '--url',
      'https://desk.example/webhook',
      '--config',
      file,
    ])
    expect(stdout).toContain(`shown only once:\n${service.secretOf('wh_1')}\n`)
    expect(code).toBe(0)
  })
})
