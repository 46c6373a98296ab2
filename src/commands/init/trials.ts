import { randomBytes } from 'node:crypto'
import type { CheckRow } from '../../channels/channel.ts'
import { openChannels } from '../../channels/registry.ts'
import {
  type AnswerId,
  type Answers,
  answered,
  type ChannelSetup,
  channelSetup,
  operatorsPlace,
  setupOf,
} from '../../config/setup/answers.ts'
import { isAsked, questions } from '../../config/setup/questions.ts'
import type { RunningService, SetupStep, SetupTrialResult, TryAnswers } from '../../console/setup-trials.ts'
import { fail, ok } from '../check/row.ts'
import { sendTest } from '../test-alert.ts'
import { configOf, tryOwnAddress, tryService } from './service-trials.ts'

/** Something that can be tried as soon as some answers are there. */
export interface SetupTrial {
  /** The step of a set-up that it belongs to. */
  step: SetupStep
  what: string
  needs(answers: Answers): AnswerId[] | undefined
  run(answers: Answers, around?: RunningService): Promise<SetupTrialResult>
}

/** Ids that nobody has: a token is tried before there is a channel, and what is said of the channel does not count. */
const nowhere = { slackChannel: 'C00000000', discordChannel: '100000000000000000' }
const nobody = { mailFrom: 'bluepencil@desk.example', mailTo: 'bluepencil@desk.example' }

/** The address is tried before there is a secret; nothing is signed then. */
const anySecret = `whsec_${randomBytes(32).toString('base64')}`

/**
 * Tries what can be tried of one step, one after the other until something is wrong: for the console, which shows all of it
 * at once.
 */
export async function tryAnswers({
  answers,
  step,
  around,
}: Parameters<TryAnswers>[0]): Promise<SetupTrialResult> {
  const findings: CheckRow[] = []
  for (const trial of trials) {
    const isDue = trial.step === step && trial.needs(answers)?.every((id) => answers[id] !== undefined)
    if (isDue !== true) continue
    const tried = await trial.run(answers, around)
    findings.push(...tried.findings)
    if (tried.wrong !== undefined) return { ...tried, findings }
  }
  return { findings }
}

/** In the order in which they are run. */
export const trials: readonly SetupTrial[] = [
  {
    step: 'channel',
    what: 'Slack',
    needs: (answers) => (channelSetup(answers) === 'slack-bot' ? ['slackApi', 'slackToken'] : undefined),
    run: (answers) => account('slackToken', { ...answers, slackChannel: nowhere.slackChannel }),
  },
  {
    step: 'channel',
    what: 'Slack',
    needs: (answers) =>
      channelSetup(answers) === 'slack-bot' ? ['slackApi', 'slackToken', 'slackChannel'] : undefined,
    run: (answers) => place('slackChannel', answers),
  },
  {
    step: 'channel',
    what: 'the address',
    needs: (answers) => (channelSetup(answers) === 'slack-webhook' ? ['slackWebhook'] : undefined),
    run: async (answers) => ofForm(await place('slackWebhook', answers)),
  },
  {
    step: 'channel',
    what: 'Discord',
    needs: (answers) => (channelSetup(answers) === 'discord-webhook' ? ['discordWebhook'] : undefined),
    run: (answers) => place('discordWebhook', answers),
  },
  {
    step: 'channel',
    what: 'Discord',
    needs: (answers) =>
      channelSetup(answers) === 'discord-bot' ? ['discordApi', 'discordToken'] : undefined,
    run: (answers) => account('discordToken', { ...answers, discordChannel: nowhere.discordChannel }),
  },
  {
    step: 'channel',
    what: 'Discord',
    needs: (answers) =>
      channelSetup(answers) === 'discord-bot' ? ['discordApi', 'discordToken', 'discordChannel'] : undefined,
    run: (answers) => place('discordChannel', answers),
  },
  {
    step: 'channel',
    what: 'the mail server',
    needs: (answers) => (channelSetup(answers) === 'email' ? login(answers) : undefined),
    run: mailServer,
  },
  {
    step: 'channel',
    what: 'the address',
    needs: (answers) =>
      channelSetup(answers) === 'webhook' ? ['webhookPrivate', 'webhookAddress'] : undefined,
    run: (answers) => place('webhookAddress', { ...answers, webhookSecret: anySecret }),
  },
  {
    step: 'channel',
    what: 'where the operators are notified',
    needs: (answers) => (operatorsPlace(answers) === undefined ? undefined : operatorsId(answers)),
    run: operatorsChannel,
  },
  {
    step: 'service',
    what: 'the monitoring service',
    needs: (answers) =>
      answered(answers, 'service') === undefined ? undefined : ['service', 'serviceKey', 'tier'],
    run: tryService,
  },
  {
    step: 'address',
    what: 'our own address',
    needs: (answers) => (answered(answers, 'publicUrl') === undefined ? undefined : ['publicUrl', 'port']),
    run: tryOwnAddress,
  },
  {
    step: 'channel',
    what: 'a test alert',
    // The last of all: everything is answered that could be.
    needs: (answers) => allOf(answers).filter((id) => !operatorsId(answers).includes(id)),
    run: (answers, around) => testAlert(answers, 0, around),
  },
  {
    step: 'channel',
    what: 'a test for the operators',
    needs: (answers) => (operatorsPlace(answers) === undefined ? undefined : allOf(answers)),
    run: (answers) => testAlert(answers, 1),
  },
]

function allOf(answers: Answers): AnswerId[] {
  return questions.filter((question) => isAsked(question, answers)).map(({ id }) => id)
}

function operatorsId(answers: Answers): AnswerId[] {
  return allOf(answers).filter((id) => id === 'operators' || id === 'operatorsWebhook')
}

/** The channel of the alerts, or the operators’: 1. */
async function check(answers: Answers, index: 0 | 1 = 0): Promise<CheckRow[]> {
  // What is asked later is tried later.
  const { service: _service, publicUrl: _publicUrl, ...channelAlone } = answers
  const out = { write: () => {}, width: 80, colour: false }
  const config = configOf(channelAlone)
  const [channel] = await openChannels({
    config: { ...config, channels: config.channels.slice(index, index + 1) },
    out,
  })
  if (channel === undefined) throw new Error('the channel did not open')
  try {
    return await channel.check()
  } finally {
    await channel.close()
  }
}

/** Of what is found, only what is about the token. */
async function account(id: AnswerId, answers: Answers): Promise<SetupTrialResult> {
  const findings = (await check(answers)).filter(({ what }) => what === 'token')
  return judged(findings, () => [id])
}

async function place(id: AnswerId, answers: Answers): Promise<SetupTrialResult> {
  return judged(await check(answers), () => [id])
}

function login(answers: Answers): AnswerId[] {
  return answered(answers, 'smtpUser') === undefined && answers.smtpUser !== undefined
    ? ['smtpServer', 'smtpUser']
    : ['smtpServer', 'smtpUser', 'smtpPassword']
}

async function mailServer(answers: Answers): Promise<SetupTrialResult> {
  const findings = (await check({ ...answers, ...nobody })).filter(({ what }) => what !== 'from')
  return judged(findings, ({ what }) => (what === 'user' ? login(answers).slice(1) : ['smtpServer']))
}

function judged(findings: CheckRow[], about: (finding: CheckRow) => AnswerId[]): SetupTrialResult {
  const failed = findings.find(({ level }) => level === 'fail')
  return failed === undefined ? { findings } : { findings, wrong: about(failed) }
}

async function operatorsChannel(answers: Answers): Promise<SetupTrialResult> {
  const tried = judged(await check(answers, 1), () => operatorsId(answers))
  return channelSetup(answers) === 'slack-webhook' ? ofForm(tried) : tried
}

/** Only a message shows whether a webhook of Slack's posts: the test alert. */
function ofForm(tried: SetupTrialResult): SetupTrialResult {
  const detail = 'The address can be one; the test alert will show whether it posts.'
  return tried.wrong === undefined ? { findings: [ok('webhook', detail)] } : tried
}

/** What else decides whether a message is accepted. */
const besides: Partial<Record<ChannelSetup, AnswerId[]>> = { email: ['mailFrom'], webhook: ['webhookSecret'] }

async function testAlert(answers: Answers, index: 0 | 1, around?: RunningService): Promise<SetupTrialResult> {
  const config = configOf(answers)
  const settings = config.channels[index]
  const way = channelSetup(answers)
  if (settings === undefined || way === undefined) throw new Error('there is no channel')
  const out = { write: () => {}, width: 80, colour: false }
  const answer = await sendTest(config, settings, { out, by: around?.by })
  const what = 'test alert'
  if (answer.result === 'sent') {
    const remark = answer.remark === undefined ? '' : `; ${answer.remark}`
    return {
      findings: [ok(what, `sent to ${settings.name} (${answer.receipt.text})${remark}`)],
    }
  }
  const detail = `${settings.name} did not accept it: ${answer.why}`
  const wrong = index === 1 ? operatorsId(answers) : [setupOf(way).answer, ...(besides[way] ?? [])]
  return { findings: [fail(what, detail)], wrong, canStay: true }
}
