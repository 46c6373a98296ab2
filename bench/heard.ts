import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startFakeDiscord } from '../test/support/fakes/discord.ts'
import { startDiscordGateway } from '../test/support/fakes/discord-gateway.ts'
import { startSlackPeople } from '../test/support/fakes/slack-people.ts'
import { startSlack } from '../test/support/fakes/slack-proxy.ts'
import { killAll, main, startOurs } from './child.ts'
import { line, type Row } from './table.ts'

// `npm run bench:heard`: memory at rest with and without clicks and commands in chat. Slack and Discord are the tests' own.

/** A connection that is kept for as long must have said its first heartbeats. */
const heartbeatMs = 5_000
/** By then what a start needed is given back. */
const restMs = 20_000
const patienceMs = 20_000

interface Heard {
  slack?: 'kept' | 'unheard'
  discord?: 'kept' | 'unheard'
}

const folder = await mkdtemp(join(tmpdir(), 'bluepencil-heard-'))
const people = await startSlackPeople()
const gateway = await startDiscordGateway({ heartbeatMs })
const slack = await startSlack({ people })
const discord = await startFakeDiscord({ gatewayUrl: gateway.url })
try {
  const kinds: [what: string, heard: Heard][] = [
    ['Slack alone', { slack: 'unheard' }],
    ['Slack in Socket Mode', { slack: 'kept' }],
    ['Discord alone', { discord: 'unheard' }],
    ['Discord with its gateway', { discord: 'kept' }],
    ['both, both heard', { slack: 'kept', discord: 'kept' }],
  ]
  for (const [what, heard] of kinds) process.stdout.write(line(await measured(what, heard)))
} finally {
  killAll()
  gateway.close()
  await Promise.all([people.close(), slack.close(), discord.close()])
  await rm(folder, { recursive: true, force: true })
}

/** Of the second start: the first may compile. */
async function measured(what: string, heard: Heard): Promise<Row> {
  const args = ['serve', '--config', await configFile(heard)]
  await (await startOurs(folder, main, args)).stop()
  const child = await startOurs(folder, main, args)
  await until(
    `the connections of ${what} stand`,
    () =>
      people.connections() === Number(heard.slack === 'kept') &&
      gateway.connections() === Number(heard.discord === 'kept'),
  )
  await delay(restMs)
  const mebibytes = child.mebibytes()
  await child.stop()
  return { what: `memory at rest, ${what}`, result: `${Math.round(mebibytes)} MiB` }
}

async function configFile({ slack: inSlack, discord: inDiscord }: Heard): Promise<string> {
  const file = join(folder, 'bluepencil.yaml')
  const appToken = inSlack === 'kept' ? `, appToken: ${people.appToken}` : ''
  const channels = [
    ...(inSlack === undefined ? [] : ['{ name: slack, type: slack, to: "#ai-desk" }']),
    ...(inDiscord === undefined ? [] : [`{ name: discord, type: discord, to: "${discord.channelId}" }`]),
  ]
  await writeFile(
    file,
    `
server: { host: 127.0.0.1, port: 0 }
store: file:${join(folder, 'data')}
webhook: { secrets: [whsec_of_the_bench_0123456789] }
slack: { token: "${slack.token}", apiUrl: "${slack.apiUrl}"${appToken} }
discord: { token: "${discord.token}", apiUrl: "${discord.url}", gateway: ${inDiscord === 'kept'} }
channels: [${channels.join(', ')}]
`,
  )
  return file
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + patienceMs; !isSo(); await delay(50)) {
    if (Date.now() > end) throw new Error(`it took too long until ${what}`)
  }
}
