import { createHash } from 'node:crypto'
import type { Channel, SendResult } from '../channels/channel.ts'
import type { ChatReply } from '../channels/interaction.ts'
import type { Person } from '../event/act.ts'
import { renderTest } from '../message/render/test-message.ts'
import type { Words } from '../message/words/words.ts'
import type { SendTest } from '../people/converse/commands.ts'
import type { RunningApp } from './running-app.ts'

/** Sends a test to the channel that goes to the place where somebody asks for one; once, past the queue. */
export async function sendTest(
  { by, key, place }: Parameters<SendTest>[0],
  words: Words,
  reloadable: Pick<RunningApp, 'lend'>,
  now: number,
): Promise<ChatReply> {
  const sent = await sendTestTo(
    (one) => one.type === by.via && one.place !== undefined && place.includes(one.place),
    { by, key, command: '/bluepencil test' },
    { reloadable, now },
  )
  if (sent === undefined) return { text: words.say('noChannelHere') }
  const { name: channel, result } = sent
  if (result.result === 'sent') return { text: words.say('testSent', { channel }) }
  return { text: words.say('testNotSent', { channel, why: result.why }) }
}

/** The same to the first channel that is meant; undefined where none is. */
export async function sendTestTo(
  isMeant: (channel: Channel) => boolean,
  { by, key, command }: { by: Pick<Person, 'name' | 'via'>; key: string; command: string },
  { reloadable, now }: { reloadable: Pick<RunningApp, 'lend'>; now: number },
): Promise<{ name: string; result: SendResult } | undefined> {
  return reloadable.lend(async ({ channels, config }, signal) => {
    const channel = channels.find(isMeant)
    if (channel === undefined) return undefined
    const settings = config.channels.find(({ name }) => name === channel.name)
    const id = `test_${createHash('sha256').update(`${by.via} ${key}`).digest('hex').slice(0, 16)}`
    const sent = { id, by: by.name, at: new Date(now).toISOString(), command }
    const message = renderTest(sent, settings ?? { timeZone: 'UTC' })
    const result = await channel.send(message, { uncertain: false, progress: [], signal })
    return { name: channel.name, result }
  })
}
