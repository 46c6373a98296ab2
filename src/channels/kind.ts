import type * as z from 'zod'
import type { Message } from '../message/message.ts'
import type { Channel } from './channel.ts'
import type { DiscordAccount } from './discord/config.ts'
import type { EmailAccount } from './email/config.ts'
import type { MailReaders } from './email/readers.ts'
import type { CommonSettings } from './settings.ts'
import type { SlackAccount } from './slack/config.ts'
import type { View } from './view.ts'

/** What a key of the configuration is for, and a value that it may have. */
export interface KeyText {
  is: string
  example: unknown
}

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
  /** Who wants no more mail, and where others say so; without it nobody is known. */
  mail?: { readers: MailReaders; unsubscribeAt: string | undefined } | undefined
}

type AnySettings = CommonSettings & { type: string }

interface Definition<Schema extends z.ZodType<AnySettings>> {
  type: z.output<Schema>['type']
  /** Of one channel, as the configuration writes it. */
  settings: Schema
  /** The keys of such a channel that no other kind has, by their names. */
  keys: Readonly<Record<string, KeyText>>
  /** Which of its values must not be seen. */
  secrets?: (channel: z.output<Schema>) => readonly string[]
  /** What the configuration lacks for this channel, as the end of a sentence: "needs email.smtp". */
  lacks?: (channel: z.output<Schema>, accounts: Accounts) => string | undefined
  /** What a channel shares with others that have the same, so that they fail together: "slack.token". */
  way: (channel: z.output<Schema>) => string
  open: (channels: z.output<Schema>[], surroundings: Surroundings) => Promise<Channel[]>
  /** How a message would read there; no SDK is loaded and no provider is asked. */
  view: (message: Message, channel: z.output<Schema>, accounts: Accounts) => Promise<View>
}

/** One kind of channel. Each function passes over the channels of other kinds. */
export interface ChannelKind<Schema extends z.ZodType<AnySettings>> {
  settings: Schema
  keys: Readonly<Record<string, KeyText>>
  secrets(channel: AnySettings): readonly string[]
  lacks(channel: AnySettings, accounts: Accounts): string | undefined
  way(channel: AnySettings): string | undefined
  open(channels: readonly AnySettings[], surroundings: Surroundings): Promise<Channel[]>
  view(message: Message, channel: AnySettings, accounts: Accounts): Promise<View> | undefined
}

/** All that the rest of the program knows of a kind of channel. An SDK is loaded by `open`, not before. */
export function channelKind<Schema extends z.ZodType<AnySettings>>(
  definition: Definition<Schema>,
): ChannelKind<Schema> {
  const { type, settings, keys, secrets, lacks, way, open, view } = definition
  const isOurs = (channel: AnySettings): channel is z.output<Schema> => channel.type === type
  return {
    settings,
    keys,
    secrets: (channel) => (isOurs(channel) ? (secrets?.(channel) ?? []) : []),
    lacks: (channel, accounts) => (isOurs(channel) ? lacks?.(channel, accounts) : undefined),
    way: (channel) => (isOurs(channel) ? way(channel) : undefined),
    open: (channels, surroundings) => open(channels.filter(isOurs), surroundings),
    view: (message, channel, accounts) => (isOurs(channel) ? view(message, channel, accounts) : undefined),
  }
}

/** The secrets in an address that lets whoever knows it write: the whole of it, and its last part, which may stand behind another host. */
export function secretsInAddress(url: string | undefined): string[] {
  if (url === undefined) return []
  const last = new URL(url).pathname.split('/').at(-1)
  return last === undefined ? [url] : [url, last]
}
