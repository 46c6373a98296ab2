import { createHash } from 'node:crypto'
import type { Reply } from '../channels/interaction.ts'
import type { SendTest } from '../converse/commands.ts'
import { renderTest } from '../render/test-message.ts'
import type { Words } from '../words/words.ts'
import type { Reloadable } from './reload.ts'

/** Sends a test to the channel that goes to the place where somebody asks for one; once, past the queue. */
export async function sendTest(
  { by, key, place }: Parameters<SendTest>[0],
  words: Words,
  reloadable: Pick<Reloadable, 'lend'>,
  now: number,
): Promise<Reply> {
  const sent = await reloadable.lend(async ({ channels, config }, signal) => {
    const channel = channels.find(
      (one) => one.type === by.via && one.place !== undefined && place.includes(one.place),
    )
    if (channel === undefined) return undefined
    const settings = config.channels.find(({ name }) => name === channel.name)
    const id = `test_${createHash('sha256').update(`${by.via} ${key}`).digest('hex').slice(0, 16)}`
    const sent = { id, by: by.name, at: new Date(now).toISOString(), command: '/bluepencil test' }
    const message = renderTest(sent, settings ?? { timeZone: 'UTC' })
    const result = await channel.send(message, { uncertain: false, progress: [], signal })
    return { name: channel.name, result }
  })
  if (sent === undefined) return { text: words.say('noChannelHere') }
  const { name: channel, result } = sent
  if (result.result === 'sent') return { text: words.say('testSent', { channel }) }
  return { text: words.say('testNotSent', { channel, why: result.why }) }
}
