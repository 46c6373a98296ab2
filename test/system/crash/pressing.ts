import { clickOn, submissionOf } from '../../support/fakes/discord-people.ts'
import type { Envelope } from '../../support/fakes/slack-people.ts'
import type { ChatDesk } from './chat-desk.ts'
import { until } from './scene.ts'

/** What a person does through one of the ways in, and what they are answered. */
export interface Pressed {
  /** Each call is one delivery by the provider; a process that dies answers nothing. */
  tell(): Promise<void>
  /** What the person reads, oldest first. */
  answers(): string[]
}

export type Way = 'slack' | 'discord'

/** A button of the message about an event. */
export async function press(desk: ChatDesk, way: Way, id: string, label: string): Promise<Pressed> {
  if (way === 'slack') return inSlack(desk, desk.people.click(await slackMessage(desk, id), 'C1', label))
  return inDiscord(desk, clickOn(discordMessage(desk, id), label))
}

/** The form of a silence, filled in and not sent yet. */
export async function fillIn(desk: ChatDesk, way: Way, id: string, why: string): Promise<Pressed> {
  if (way === 'slack') {
    const click = desk.people.click(await slackMessage(desk, id), 'C1', 'Silence…')
    await inSlack(desk, click).tell()
    await until('the form is open', () => desk.people.form(click) !== undefined)
    const submission = desk.people.submit(desk.people.form(click) ?? {}, '1h', why)
    return inSlack(desk, submission, click)
  }
  const click = inDiscord(desk, clickOn(discordMessage(desk, id), 'Silence…'))
  await click.tell()
  await until('the form is open', () => click.answers().length > 0)
  const modal: Record<string, unknown> = JSON.parse(click.answers()[0] ?? '{}')
  return inDiscord(desk, submissionOf(modal, '1h', why))
}

async function slackMessage({ slack }: ChatDesk, id: string) {
  const message = (await slack.read('ai-desk')).find(({ blocks }) => JSON.stringify(blocks).includes(id))
  if (message === undefined) throw new Error(`${id} is not in Slack`)
  return message
}

function discordMessage({ discord }: ChatDesk, id: string) {
  const message = discord.posted(discord.channelId).find((one) => JSON.stringify(one).includes(id))
  if (message === undefined) throw new Error(`${id} is not in Discord`)
  return message
}

/** Signed in a second of its own: within one second the signature would be that of the time before, and a replay. */
function tellingAt(times: number): number {
  return Date.now() + times * 1_000
}

/** What takes longer is answered at the address of the click. */
function inSlack({ people, origin }: ChatDesk, envelope: Envelope, click = envelope): Pressed {
  const { trigger_id: trigger } = click.payload
  const direct: string[] = []
  let times = 0
  return {
    async tell() {
      times += 1
      if (people.connections() > 0) {
        // What nobody acknowledges, Slack sends again under another id.
        const acknowledged = people.send({ ...envelope, envelope_id: `${envelope.envelope_id}-${times}` })
        void acknowledged.then(({ payload }) => payload && direct.push(JSON.stringify(payload)))
        return
      }
      const request = people.signed(envelope, { at: tellingAt(times) })
      const answer = await fetch(`${origin}/slack`, request).catch(() => undefined)
      const body = (await answer?.text().catch(() => '')) ?? ''
      if (answer?.status === 200 && body !== '') direct.push(body)
    },
    answers: () => [
      ...direct,
      ...people.told.filter(({ to }) => to === trigger).map(({ body }) => JSON.stringify(body)),
    ],
  }
}

function inDiscord(
  { discord, gateway, key, origin, heard }: ChatDesk,
  interaction: { token: string },
): Pressed {
  const direct: string[] = []
  let times = 0
  return {
    async tell() {
      times += 1
      // A slow answer uses the token, over both ways.
      if (!discord.interactions.has(interaction.token)) discord.interactions.set(interaction.token, undefined)
      if (heard === 'kept') {
        gateway.interaction(interaction)
        return
      }
      const request = key.signed(interaction, { at: tellingAt(times) })
      const answer = await fetch(`${origin}/discord`, request).catch(() => undefined)
      const body = (await answer?.json().catch(() => undefined)) as { data?: object } | undefined
      if (body?.data !== undefined) direct.push(JSON.stringify(body.data))
    },
    answers() {
      const answered = discord.interactions.get(interaction.token)
      return answered === undefined ? direct : [JSON.stringify(answered)]
    },
  }
}
