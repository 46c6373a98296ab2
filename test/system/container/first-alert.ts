// From the first start to alerts in Slack, Discord and e-mail, as somebody does it in a browser.
//
// `npm run first-alert -- --package FOLDER` tries what npm pack makes, installed in FOLDER.
// `--image NAME` tries an image, with podman.
// `--pace 10` is ten times as fast as a person.
// `--write` puts the table and two pictures into docs.
//
// Ends with 1 if it takes longer than it may, or has more to read. Slack, Discord, the mail server and the service are doubles.
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { writeBetweenMarkers } from '../../../bench/table.ts'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { startFakeSmtp } from '../../support/fakes/smtp.ts'
import { noBrowser, openBrowser, openPage } from '../console/browser.ts'
import { secondsUntil, stepTable, type TriedWay, total } from './cost-table.ts'
import { type FirstStart, startContainer, startPackage, until } from './first-start.ts'
import { Person } from './person.ts'

const most = { words: 400, secondsToSlack: 180, seconds: 360 }
const inSlack = 'the alert is in Slack'
const password = 'four words of ana'

const { values } = parseArgs({
  options: {
    image: { type: 'string' },
    package: { type: 'string' },
    pace: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})
const { image, package: folder, write } = values
if (noBrowser !== undefined) throw new Error(noBrowser)
if (image === undefined && folder === undefined) throw new Error('needs --image or --package')

const tried: TriedWay[] = []
if (image !== undefined) tried.push(await tryWay('container', () => startContainer(image)))
if (folder !== undefined) tried.push(await tryWay('package', () => startPackage(folder)))
const text = stepTable(tried)
process.stdout.write(text)
for (const { way, costs } of tried) {
  const needed = {
    words: total(costs, 'words'),
    secondsToSlack: secondsUntil(inSlack, costs),
    seconds: total(costs, 'seconds'),
  }
  if (Object.entries(most).every(([key, limit]) => needed[key as keyof typeof most] <= limit)) continue
  process.stderr.write(`${way}: ${JSON.stringify(needed)}, but at most ${JSON.stringify(most)}\n`)
  process.exitCode = 1
}
if (write) writeBetweenMarkers('docs/start.md', text, 'first-alert')

async function tryWay(way: string, start: () => FirstStart): Promise<TriedWay> {
  const browser = await openBrowser()
  const { page } = await openPage(browser)
  const person = new Person(page, Number(values.pace))
  const doubles = await startDoubles()
  let started: FirstStart | undefined
  try {
    await person.step('open the address', async () => {
      started = start()
      const shown = await started.announcement()
      await person.read(shown)
      await page.goto(/http:\S+/.exec(shown)?.[0] ?? '')
    })
    await setUp(person, page, doubles)
    await addChannels(person, doubles)
    return { way, costs: person.costs }
  } catch (error) {
    process.stderr.write(`${await page.innerText('body')}\n${started?.log() ?? ''}\n`)
    throw error
  } finally {
    await started?.stop()
    await Promise.all([doubles.close(), browser.close()])
  }
}

type Doubles = Awaited<ReturnType<typeof startDoubles>>

async function startDoubles() {
  const [slack, discord, smtp, service] = await Promise.all([
    startSlack(),
    startFakeDiscord({ now: () => Date.now() }),
    startFakeSmtp({ users: { desk: 'pass word' } }),
    startSandbox({ port: 0, seed: 7 }),
  ])
  const bodies = {
    slack: () => slack.requests.map(({ raw }) => raw),
    discord: () => discord.posted(discord.channelId).map((message) => JSON.stringify(message)),
    mail: () => smtp.messages().map(({ raw }) => raw),
  }
  return {
    addresses: {
      slack: slack.webhookUrl,
      discord: discord.webhookUrl,
      mail: `127.0.0.1:${smtp.port}`,
      service: service.url,
    },
    /** The service sends a signed webhook about the model; resolves when each place has one message about it. */
    async alert(model: 'Claude' | 'Gemini', places: (keyof typeof bodies)[]) {
      service.fire({ type: 'policy_change', model: model.toLowerCase(), category: 'political', delta: 12 })
      await until(`the alert in ${places.join(', ')}`, () =>
        places.every((place) => bodies[place]().filter((body) => body.includes(model)).length === 1),
      )
    },
    close: () => Promise.all([slack.close(), discord.close(), smtp.close(), service.close()]),
  }
}

/** The four steps, and the first alert. */
async function setUp(person: Person, page: Page, { addresses, alert }: Doubles): Promise<void> {
  const picture = async (name: string) => {
    if (write) await page.screenshot({ path: `docs/set-up/${name}.png` })
  }
  await person.step('your account', async () => {
    await person.readPage('Your account')
    await person.type('Name', 'ana')
    await person.type('New password', password)
    await person.type('The same again', password)
    await person.click('button', 'Make the account')
  })
  await person.step('Slack', async () => {
    await person.readPage('Where alerts go')
    await person.click('link', /^Slack, by an incoming webhook/)
    await person.readPage('Where alerts go')
    await person.type('Address of the webhook', addresses.slack)
    await picture('first-alert-slack')
    await person.click('button', 'Send a test and save')
    await person.readPage('The channel is saved')
    await person.click('link', /^Next/)
  })
  await person.step('the monitoring service', async () => {
    await person.readPage('The monitoring service')
    await person.type('Address of the monitoring service', addresses.service)
    await person.type('API key of the service', 'sandbox-free')
    await person.click('button', 'Try and save')
    await person.readPage('The service is saved')
    await person.click('link', /^Next/)
  })
  await person.step('your own address', async () => {
    await person.readPage('Our own address')
    await person.type('Address under which', 'http://127.0.0.1:8080')
    await person.click('button', 'Try and save')
    await person.readPage('Our address is saved')
    await person.click('link', 'To the overview')
  })
  await person.step(inSlack, async () => {
    await page.waitForURL(/\/console\/$/)
    await person.readTop(/./)
    await page.getByText('active', { exact: true }).waitFor()
    await alert('Claude', ['slack'])
  })
  await page
    .getByRole('link', { name: /^Claude .*political/ })
    .first()
    .waitFor()
  await picture('first-alert')
}

/** The other two channels, and an alert in all three. */
async function addChannels(person: Person, { addresses, alert }: Doubles): Promise<void> {
  await person.step('Discord', async () => {
    await person.click('link', 'Add a channel')
    await person.readPage('Where alerts go')
    await person.click('link', /^Discord, by a webhook/)
    await person.readPage('Where alerts go')
    await person.type('Address of the webhook', addresses.discord)
    await person.click('button', 'Send a test and save')
    await person.readPage('The channel is saved')
  })
  await person.step('e-mail', async () => {
    await person.click('link', 'Add another channel')
    await person.readPage('Where alerts go')
    await person.click('link', 'E-mail')
    await person.readPage('Where alerts go')
    await person.type('Mail server and port', addresses.mail)
    await person.type('User at the mail server', 'desk')
    await person.type('Password', 'pass word')
    await person.type('Sender', 'desk@desk.example')
    await person.type('Recipients', 'reader@desk.example')
    await person.click('button', 'Send a test and save')
    await person.readPage('The channel is saved')
  })
  await person.step('an alert is in all three', () => alert('Gemini', ['slack', 'discord', 'mail']))
}
