import type * as z from 'zod'
import type { Message } from '../message/message.ts'
import type { Channel } from './channel.ts'
import type { DiscordAccount } from './discord/config.ts'
import type { EmailAccount, MailReaders } from './email/config.ts'
import type { ConnectParts, ProviderConnection, Receive, ReceiveParts } from './interaction.ts'
import type { CommonSettings } from './settings.ts'
import type { SlackAccount } from './slack/config.ts'

/** What several channels send with. */
export interface Accounts {
  slack?: SlackAccount | undefined
  discord?: DiscordAccount | undefined
  email?: EmailAccount | undefined
}

/** What a channel opens with, beside its own settings. */
export interface Surroundings {
  accounts: Accounts
  /** Where console channels write. */
  out: { write(text: string): void; width: number; colour: boolean }
  /** The readers who unsubscribed, and the address at which others can. Without it, mail goes to every reader. */
  mail?: { readers: MailReaders; unsubscribeAt: string | undefined } | undefined
}

/** Of a terminal. */
export interface PreviewStyle {
  /** In columns. */
  width: number
  colour: boolean
}

/** What a channel would be sent, made by the code that sends it: to be looked at. */
export interface View {
  /** As its readers see it, for a terminal. */
  text(style: PreviewStyle): string | Promise<string>
  /** What goes to the provider. */
  payload: unknown
  /** The content of a file, by the ending of its name; `txt` is the text above. */
  files: Readonly<Record<string, string>>
}

/** The ways in which a provider says what people do. What they need is loaded when one is opened. */
interface ProviderListener {
  /** A connection of ours. */
  connect?(parts: ConnectParts): Promise<ProviderConnection>
  /** Requests of the provider's. */
  receive?(parts: ReceiveParts): Promise<Receive>
}

/** One kind of channel, with all that the rest of the program knows of it. An SDK is loaded by `open`, not before. */
export interface ChannelKind<Settings extends CommonSettings> {
  /** As sentences begin with it: "Slack". */
  title: string
  /** Of one channel, as the configuration writes it; its `type` is the kind's name. */
  settings: z.ZodType<Settings>
  /** Which of its values must not be seen. */
  secrets?(channel: Settings): readonly string[]
  /** What the configuration lacks for this channel, as the end of a sentence: "needs email.smtp". */
  lacks?(channel: Settings, accounts: Accounts): string | undefined
  /** What a channel shares with others, so that they fail together: "slack.token". */
  failureDomain(channel: Settings): string
  open(channels: readonly Settings[], surroundings: Surroundings): Promise<Channel[]>
  /** How what people do at a bot's messages reaches us; undefined if nobody listens. */
  listening?(accounts: Accounts): ProviderListener | undefined
  /** How a message would read there; no SDK is loaded and no provider is asked. */
  view(message: Message, channel: Settings, accounts: Accounts): Promise<View>
}

/** The secrets in an address that lets everybody who knows it write: all of it, and its last part, which also works behind another host. */
export function secretsInAddress(url: string | undefined): string[] {
  if (url === undefined) return []
  const last = new URL(url).pathname.split('/').at(-1)
  return last === undefined ? [url] : [url, last]
}
