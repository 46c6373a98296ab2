import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { sign } from '../../support/fakes/signed.ts'
import { startFakeSmtp } from '../../support/fakes/smtp.ts'
import { freePort } from '../../support/free-port.ts'
import { start } from '../e2e/process.ts'
import { delivery } from './desk.ts'
import { type Manner, startEcho } from './echo.ts'
import { runHere } from './run-here.ts'

const manners: Manner[] = [200, 400, 401, 403, 404, 429, 500, 503, 'page', 'cut', 'redirect']

const figures = {
  '/monitoring/claude/metrics': ['metrics', 'claude'],
  '/monitoring/claude/history': ['history', 'claude'],
  '/monitoring/compare': ['compare', 'claude,gemini', '--json'],
  '/bias/claude': ['bias', 'claude', '--csv'],
  '/research/publications': ['publications'],
  '/research/datasets ': ['datasets'],
  '/research/datasets/daily/download': ['download', 'daily', '--output'],
}

/** A secret for every place of the configuration that holds one; each ends in the name of its place. */
export const secrets = {
  apiKey: 'planted-1f83-of-monitor-apiKey',
  signing: 'whsec_planted1f83OfWebhookSecrets',
  channel: `whsec_${Buffer.from('planted-1f83-of-a-webhook-secret').toString('base64')}`,
  slackToken: 'xoxb-planted-1f83-of-slack-token',
  slackSigning: 'planted-1f83-of-slack-signingSecret',
  slackApp: 'xapp-planted-1f83-of-slack-appToken',
  discordToken: 'planted-1f83.of.discord-token',
  smtpPassword: 'planted-1f83 of/email+smtp&"pass',
  clientSecret: 'planted-1f83-of-oauth-clientSecret',
  refreshToken: 'planted-1f83-of-oauth-refreshToken',
  consoleClient: 'planted-1f83-of-console-oidc-clientSecret',
}

const slackHook = (manner: Manner) => `planted1f83OfSlackWebhook${manner}`
const toolsHook = (manner: Manner) => `planted1f83OfToolsWebhook${manner}`
const discordHook = (manner: Manner) => `planted1f83OfDiscordWebhook-${manner}`

/** Any of them, or a part of one, in any form. */
export function leaks(text: string): string[] {
  const { smtpPassword } = secrets
  const forms = [
    /.{0,60}planted.?1f83.{0,40}/gis,
    RegExp(RegExp.escape(encodeURIComponent(smtpPassword)), 'g'),
    ...Object.values(secrets).flatMap((secret) => {
      const base64 = [0, 1, 2].map((shift) =>
        Buffer.from('\0'.repeat(shift) + secret)
          .toString('base64')
          .slice(4, -4),
      )
      return base64.map((part) => RegExp(RegExp.escape(part), 'g'))
    }),
  ]
  return forms.flatMap((form) => text.match(form) ?? [])
}

/**
 * Everything fails and answers `how`, with all that it was sent. Answers where a planted secret was seen: what is shown, logged, sent
 * to operators or stored, and how.
 */
export async function findLeaks(how: Manner): Promise<Record<string, string[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-secrets-'))
  const smtp = await startFakeSmtp({ users: { desk: 'another' } })
  smtp.script({
    auth: 535,
    says: `no ${secrets.smtpPassword} ${Buffer.from(`\0desk\0${secrets.smtpPassword}`).toString('base64')}`,
  })
  const echo = await startEcho(
    (path) => manners.find((one) => path.endsWith(`Webhook${one}`) || path.includes(`Webhook-${one}`)) ?? how,
  )
  const port = await freePort()
  const file = join(folder, 'b.yaml')
  const mounted = (name: string, content: string) => {
    writeFileSync(join(folder, name), `${content}\n`)
    return `\${file:${join(folder, name)}}`
  }
  const access =
    how === 'page'
      ? `oauth: { tokenUrl: "${echo.origin}/token", clientId: desk, clientSecret: "${mounted('client', secrets.clientSecret)}", refreshToken: "${secrets.refreshToken}" }`
      : `apiKey: "${mounted('key', secrets.apiKey)}"`
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PLANTED_SLACK_TOKEN', secrets.slackToken)
  const hooks = manners.flatMap((one) => [
    `  - { name: slack-${one}, type: slack, webhookUrl: "${echo.origin}/services/T1/B1/${slackHook(one)}" }`,
    `  - { name: discord-${one}, type: discord, webhookUrl: "${echo.origin}/api/v9/webhooks/1180000000000000001/${discordHook(one)}" }`,
    `  - { name: tools-${one}, type: webhook, to: "${echo.origin}/tools/${toolsHook(one)}", secret: "${secrets.channel}", allowPrivate: true }`,
  ])
  writeFileSync(
    file,
    [
      '',
      `monitor: { baseUrl: "${echo.origin}/v1", tier: 10000, ${access} }`,
      `webhook: { publicUrl: "http://127.0.0.1:${port}", secrets: ["${mounted('signing', secrets.signing)}"] }`,
      `server: { host: 127.0.0.1, port: ${port} }`,
      `store: file:${folder}/data`,
      'log: debug',
      `slack: { token: "\${PLANTED_SLACK_TOKEN}", signingSecret: "${secrets.slackSigning}", appToken: "${secrets.slackApp}", apiUrl: "${echo.origin}/slack/", intervalMs: 0 }`,
      `discord: { token: "${secrets.discordToken}", apiUrl: "${echo.origin}/api" }`,
      `email: { smtp: "${mounted('smtp', smtp.url('desk', secrets.smtpPassword))}", ca: "${smtp.ca}", from: a@desk.example }`,
      `console: { listen: { port: 0 }, oidc: { issuer: "${echo.origin}", clientId: desk, clientSecret: "${mounted('oidc', secrets.consoleClient)}", roles: { anyone: reader } } }`,
      'operators: [ops]',
      'channels:',
      '  - { name: ops, type: console }',
      '  - { name: slack-bot, type: slack, to: "#desk" }',
      '  - { name: discord-bot, type: discord, to: "1180000000000000001" }',
      '  - { name: mail, type: email, to: b@desk.example }',
      `${hooks.join('\n')}`,
      '',
    ].join('\n'),
  )
  const serving = start(['serve', '--config', file])
  onTestFinished(async () => {
    serving.kill('SIGKILL')
    await serving.ended
    await Promise.all([smtp.close(), echo.close()])
    rmSync(folder, { recursive: true, force: true })
  })
  const origin = `http://127.0.0.1:${port}`
  const get = async (path: string) => await (await fetch(origin + path)).text()
  await vi.waitUntil(() => get('/healthz').catch(() => undefined), { timeout: 60_000, interval: 25 })

  const outputs: Record<string, string> = {}
  const post = async (body: string, signature: string) => {
    const headers = { 'x-service-signature': signature }
    const answer = await fetch(`${origin}/webhook`, { method: 'POST', body, headers })
    return `${JSON.stringify([...answer.headers])} ${await answer.text()}`
  }
  const body = delivery('evt_1')
  outputs.accepted = await post(body, sign(body, secrets.signing))
  outputs.forged = await post(body, secrets.signing)

  const command = async (...argv: string[]) => {
    const { stdout, stderr } = await runHere(...argv, '--config', file)
    const out = stdout + stderr
    outputs[argv.join(' ')] = out
    return out
  }
  const channels = 4 + hooks.length
  const tried = async () => {
    const explained = await command('explain', 'evt_1')
    return (explained.match(/[1-9]\d* attempts?/g)?.length ?? 0) >= channels
  }
  await vi.waitUntil(tried, { timeout: 60_000, interval: 250 })

  vi.stubEnv('BLUEPENCIL_DEBUG', '1')
  await command('explain', 'evt_1', '--json')
  await command('events')
  await command('events', '--json')
  await command('check')
  await command('check', '--json')
  await command('subscriptions', 'list')
  await command('subscriptions', 'create')
  await command('subscriptions', 'delete', 'wh_1')
  // At once: each waits before it tries again.
  const downloaded = join(folder, 'daily')
  await Promise.all(
    Object.values(figures).map((argv) =>
      command('monitor', ...argv, ...(argv.includes('--output') ? [downloaded] : [])),
    ),
  )
  // Without a token, which the page is not, nothing else is asked for.
  const expectedPaths = how === 'page' ? ['/token'] : Object.keys(figures).map((path) => `/v1${path}`)
  expect(expectedPaths.filter((path) => !`${echo.asked.join(' ')} `.includes(path))).toEqual([])
  for (const name of [
    'slack-bot',
    'discord-bot',
    'mail',
    'slack-500',
    'discord-401',
    'tools-500',
    'tools-400',
  ]) {
    await command('test-alert', name)
  }
  for (const path of ['/metrics', '/readyz', '/healthz', '/nothing']) outputs[path] = await get(path)
  serving.kill()
  await serving.ended
  outputs.stdout = serving.stdout()
  outputs.stderr = serving.stderr()
  for (const entry of readdirSync(join(folder, 'data'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) outputs[path.slice(folder.length)] = readFileSync(path, 'utf8')
    expect([entry.name, statSync(path).mode & 0o077]).toEqual([entry.name, 0])
  }
  expect(echo.asked.length).toBeGreaterThan(channels)
  expect(echo.asked.filter((path) => path.startsWith('/moved'))).toEqual([])
  expect(outputs.stderr).toContain('evt_1')
  const leaking = Object.entries(outputs).map(([where, text]) => [where, leaks(text)] as const)
  return Object.fromEntries(leaking.filter(([, leaked]) => leaked.length > 0))
}
