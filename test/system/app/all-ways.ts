import { onTestFinished } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import type { Answers } from '../../../src/config/setup/answers.ts'
import { compose } from '../../../src/config/setup/config-from-answers.ts'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { startFakeSmtp } from '../../support/fakes/smtp.ts'
import { idsIn, openDesk } from '../faults/desk.ts'

const Written = z.looseObject({ channels: z.array(z.looseObject({})) })

/** What `init` writes for these answers, with the secrets in their places. */
function written(answers: Answers) {
  const { yaml, variables } = compose({ timeZone: 'Europe/Berlin', language: 'en', ...answers })
  const whole = Object.entries(variables).reduce(
    (text, [name, value]) => text.replaceAll(`\${${name}}`, value),
    yaml,
  )
  return Written.parse(parse(whole))
}

/** A desk as `init` writes it for each way, all in one, and what stands behind each. */
export async function openAllWays() {
  const [hook, bot, discordHook, discordBot, smtp] = await Promise.all([
    startSlack(),
    startSlack(),
    startFakeDiscord({ now: () => Date.now() }),
    startFakeDiscord({ now: () => Date.now() }),
    startFakeSmtp(),
  ])
  onTestFinished(async () => {
    await Promise.all([hook, bot, discordHook, discordBot, smtp].map((fake) => fake.close()))
  })
  const all = [
    written({ name: 'slack-hook', channel: 'slack-webhook', slackWebhook: hook.webhookUrl }),
    written({
      name: 'slack-bot',
      channel: 'slack-bot',
      slackToken: bot.token,
      slackChannel: '#ai-desk',
      slackApi: bot.apiUrl,
    }),
    written({ name: 'discord-hook', channel: 'discord-webhook', discordWebhook: discordHook.webhookUrl }),
    written({
      name: 'discord-bot',
      channel: 'discord-bot',
      discordToken: discordBot.token,
      discordChannel: discordBot.channelId,
      discordApi: discordBot.url,
    }),
    written({
      name: 'mail',
      channel: 'email',
      smtpServer: smtp.url().replace('smtp://', ''),
      mailFrom: 'bluepencil@desk.example',
      mailTo: 'desk@desk.example',
    }),
  ]
  const [, slack, , discord, email] = all
  const desk = await openDesk({
    slack: { ...z.object({ slack: z.looseObject({}) }).parse(slack).slack, intervalMs: 0 },
    discord: z.object({ discord: z.looseObject({}) }).parse(discord).discord,
    email: { ...z.object({ email: z.looseObject({}) }).parse(email).email, ca: smtp.ca },
    channels: all.flatMap(({ channels }) => channels),
  })
  const texts = async () => ({
    'slack-hook': await hook.read('ai-desk'),
    'slack-bot': await bot.read('ai-desk'),
    'discord-hook': discordHook.posted(discordHook.channelId),
    'discord-bot': discordBot.posted(discordBot.channelId),
    mail: smtp.messages().map(({ raw }) => raw),
  })
  /** What stands in each place, the oldest first, as text. */
  const read = async () =>
    Object.entries(await texts()).map(([way, messages]) => ({ way, ids: idsIn(messages), messages }))
  return { desk, read }
}
