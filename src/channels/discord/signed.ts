import { createPublicKey, verify } from 'node:crypto'
import type { ConnectParts, ProviderConnection, Receive, ReceiveParts, SignedAnswer } from '../interaction.ts'
import { registerCommands } from './commands.ts'
import type { DiscordAccount } from './config.ts'
import { failureOf } from './failure.ts'
import { createDiscordAnswering, Interaction, openChatBot } from './interaction.ts'

/**
 * What Discord posts to us (https://docs.discord.com/developers/interactions/overview#setting-up-an-endpoint): signed with
 * Ed25519 over the time and the raw body. Discord tries forged ones itself, before it accepts the address.
 */
export function receiveDiscord(
  account: DiscordAccount & { publicKey: string },
  parts: ReceiveParts,
): Receive {
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(account.publicKey, 'hex').toString('base64url') },
  })
  const answering = createDiscordAnswering(openChatBot(account), parts)

  return async ({ body, header, at }) => {
    const signature = header('x-signature-ed25519') ?? ''
    const signedAt = header('x-signature-timestamp') ?? ''
    // Node reads hexadecimal digits up to the first that is none, and another text would be no replay.
    if (!/^[0-9a-f]{128}$/i.test(signature)) return refused
    const signed = Buffer.concat([Buffer.from(signedAt), body])
    const isGenuine = verify(null, signed, key, Buffer.from(signature, 'hex'))
    if (!isGenuine) return refused
    if (!(await parts.replays.isFirst(signature.toLowerCase(), signedAt, at))) return refused
    const read = Interaction.safeParse(jsonOf(body))
    if (!read.success) return unread
    const interaction = read.data
    if (interaction.type === 1) return { status: 200, body: { type: 1 } }
    const responded = await answering(interaction)
    return responded === undefined ? unread : { status: 200, body: responded.response }
  }
}

const refused: SignedAnswer = {
  status: 401,
  body: { error: { code: 'SIGNATURE_INVALID', message: 'Discord did not sign this, or not now.' } },
}
const unread: SignedAnswer = {
  status: 400,
  body: { error: { code: 'NOT_UNDERSTOOD', message: 'This is no interaction that is known here.' } },
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const firstWaitMs = 5_000
const longestWaitMs = 10 * 60_000

/** Makes `/bluepencil` known to Discord, and tries until it is. */
export function offerCommands(
  account: DiscordAccount,
  { onHeard, onUnheard, clock }: ConnectParts,
): ProviderConnection {
  const bot = openChatBot(account)
  const ending = new AbortController()

  async function offer(): Promise<void> {
    for (let wait = firstWaitMs; !ending.signal.aborted; wait = Math.min(2 * wait, longestWaitMs)) {
      try {
        await registerCommands(bot, ending.signal)
        return onHeard()
      } catch (error) {
        const failure = failureOf(error, 'bot')
        if (failure.result !== 'retry' || wait > firstWaitMs) onUnheard(failure.why)
      }
      await clock.sleep(wait, ending.signal)
    }
  }

  const offered = offer()
  return {
    async close() {
      ending.abort()
      await offered
      bot.close()
    },
  }
}
