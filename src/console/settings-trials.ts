import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { RawChannel } from '../config/browser-config.ts'
import { ConfigError } from '../config/error.ts'
import { keepSecrets } from '../config/raw-secrets.ts'
import { type AnswerId, type Answers, answersOf, ofAccounts, setupOf } from '../config/setup/answers.ts'
import type { Draft } from './drafts.ts'
import type { ConsoleParts } from './parts.ts'
import { nameOf, type SchemaField, withInner } from './schema-fields.ts'
import type { SetupStep, SetupTrialResult } from './setup-trials.ts'

type SettingsTrialParts = Pick<ConsoleParts, 'configEditing' | 'tryAnswers'>

/** What is tried before it is saved, with the answers of the set-up that stand for it. */
interface SettingsTrial {
  step: SetupStep
  answers: Answers
  /** The fields of the form for answers that may be wrong. */
  fields: Partial<Record<AnswerId, string>>
}

/** What did not work, by the fields of its form; undefined if it works, or the schema refuses it anyway. */
export async function trialErrors(
  trial: SettingsTrial | undefined,
  { tryAnswers }: Pick<SettingsTrialParts, 'tryAnswers'>,
  by: string,
): Promise<Record<string, string> | undefined> {
  if (trial === undefined) return undefined
  const { step, answers, fields } = trial
  const tried = await tryAnswers(step, answers, by).catch(unlessConfigError)
  if (tried?.wrong === undefined) return undefined
  const [wrong] = tried.wrong
  return { [(wrong && fields[wrong]) ?? '']: whyWrong(tried) }
}

/** A page shows no secret again: one that did not work is read from the draft if somebody saves it all the same. */
export function withRefusedSecrets(typed: Record<string, string>, draft: Draft): Record<string, string> {
  const refused = typed.do === untried ? Object.entries(draft.readAll()) : []
  return { ...typed, ...Object.fromEntries(refused.filter(([name]) => !typed[name])) }
}

export const untried = 'untried'
export const saveUntried = { label: 'Save all the same', name: 'do', value: untried, look: 'quiet' } as const

/** For that. `fields`: of the form; the password of a mail server is none of the schema. */
export function keepRefusedSecrets(
  typed: Record<string, string>,
  draft: Draft,
  fields: readonly SchemaField[],
): void {
  const names = fields
    .flatMap(withInner)
    .flatMap(({ kind, path }) => (kind === 'secret' ? [nameOf(path)] : []))
  const secrets = [...names, 'smtpPassword'].map((name) => [name, typed[name] ?? ''])
  draft.keep(Object.fromEntries(secrets.filter(([, text]) => text !== '')))
}

function unlessConfigError(error: unknown): undefined {
  if (!(error instanceof ConfigError)) throw error
}

/** The last finding is the one that failed. It may begin with a name or an address. */
export function whyWrong({ findings }: SetupTrialResult): string {
  const failed = findings.findLast(({ level }) => level !== 'ok')
  const hint = failed?.hint === undefined ? '' : ` (${failed.hint})`
  return `${failed?.text ?? 'It did not work'}${hint}`.replace(/(?<![.!?])$/, '.')
}

/** With the secrets that are kept; undefined if nothing changed, or a secret has to be entered again. */
function changedTo(becomes: unknown, saved: unknown): unknown {
  const { value, problems } = keepSecrets(becomes, saved)
  return problems.length > 0 || isDeepStrictEqual(value, saved) ? undefined : value
}

const MonitorTyped = z.object({
  baseUrl: z.url(),
  apiKey: z.string(),
  tier: z.union([z.string(), z.number()]).default('free'),
})

export function serviceTrial(
  becomes: unknown,
  { configEditing }: SettingsTrialParts,
): SettingsTrial | undefined {
  const { data } = MonitorTyped.safeParse(changedTo(becomes, configEditing.section('monitor').value))
  return (
    data && {
      step: 'service',
      answers: { service: data.baseUrl, serviceKey: data.apiKey, tier: String(data.tier) },
      fields: { service: nameOf(['baseUrl']), serviceKey: nameOf(['apiKey']) },
    }
  )
}

export function addressTrial(
  becomes: unknown,
  { configEditing }: SettingsTrialParts,
): SettingsTrial | undefined {
  const { data: publicUrl } = z.url({ protocol: /^https?$/ }).safeParse(becomes)
  if (publicUrl === undefined || publicUrl === configEditing.section('publicUrl').value) return undefined
  return {
    step: 'address',
    answers: { publicUrl, port: '8080' },
    fields: { publicUrl: nameOf([]) },
  }
}

const accountWays = { slack: 'slack-bot', discord: 'discord-bot', email: 'email' } as const

/** A bot’s token, or the login at a mail server, before there is a channel for it. */
export function accountTrial(
  section: keyof typeof accountWays,
  becomes: unknown,
  { configEditing }: SettingsTrialParts,
): SettingsTrial | undefined {
  const value = changedTo(becomes, configEditing.section(section).value)
  if (value === undefined) return undefined
  const token = nameOf(['token'])
  return {
    step: 'channel',
    answers: { channel: accountWays[section], ...ofAccounts({ [section]: value }) },
    fields: { slackToken: token, discordToken: token, smtpServer: 'smtpServer', smtpUser: 'smtpUser' },
  }
}

/** Where a channel writes to, if that or its secret changed. Only a test shows whether a webhook of Slack posts: it gets one. */
export function channelTrial(
  becomes: RawChannel,
  saved: RawChannel,
  { configEditing }: SettingsTrialParts,
): SettingsTrial | undefined {
  const value = changedTo(becomes, saved)
  const channel = { ...Object(value), name: saved.name }
  const isMoved = ['to', 'webhookUrl', 'secret', 'allowPrivate'].some(
    (key) => !isDeepStrictEqual(channel[key], saved[key]),
  )
  const answers = answersOf(channel)
  if (value === undefined || !isMoved || answers?.channel === undefined) return undefined
  const { id, key, answer } = setupOf(answers.channel)
  const account = (section: 'slack' | 'discord' | 'email') => configEditing.section(section).value
  const accounts = { slack: account('slack'), discord: account('discord'), email: account('email') }
  const whole: Answers = { operators: '', operatorsWebhook: '', service: '', publicUrl: '', port: '8080' }
  return {
    step: 'channel',
    answers: { ...ofAccounts(accounts), ...answers, ...(id === 'slack-webhook' && whole) },
    fields: { [answer]: nameOf([key]), webhookSecret: nameOf(['secret']) },
  }
}
