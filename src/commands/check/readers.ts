import type { CheckRow } from '../../channels/channel.ts'
import { unsubscribeAddress } from '../../config/derived.ts'
import type { Config } from '../../config/schema.ts'
import { isSame, Suppressions, unsubscribedFrom } from '../../people/readers/suppressions.ts'
import { exchange, NoAnswer } from '../../platform/outbound/exchange.ts'
import { counted, listed } from '../../platform/text.ts'
import { isReservedName } from './doubts.ts'
import { ok, warn } from './row.ts'
import type { StoreContents } from './store.ts'

export type EmailChannelConfig = Extract<Config['channels'][number], { type: 'email' }>

const timeoutMs = 10_000

/** Who of a channel's readers gets no mail, and whether they can unsubscribe by a click. */
export async function* checkReaders(
  config: Config,
  channel: EmailChannelConfig,
  kept: StoreContents | undefined,
): AsyncGenerator<CheckRow, void> {
  yield* readersOf(channel, Suppressions.parse(kept?.readers))
  yield await checkLink(config, kept?.isRunning ?? false)
}

/** Pure. */
export function readersOf({ name, to }: EmailChannelConfig, book: Suppressions): CheckRow[] {
  const what = 'readers'
  const left = to.flatMap((address) => {
    const unsubscription = unsubscribedFrom(book, name, address)
    return unsubscription === undefined ? [] : [`${address} (${unsubscription.at})`]
  })
  const who = `${counted(left.length, 'reader')} of ${to.length} unsubscribed: ${listed(left, 'and')}`
  const restore = `to send mail to one again: bluepencil readers restore ADDRESS ${name}`
  const aboutLeft = left.length === to.length ? warn(what, `nobody is left: ${who}`, restore) : ok(what, who)
  const refused = book.refused.filter((one) => to.some((address) => isSame(address, one.address)))
  const aboutRefused = refused.map(({ address, server, said, since, until }) =>
    warn(
      what,
      `${server} rejects ${address} since ${since}: ${said}`,
      `correct it under to:, or retry before ${until}: bluepencil readers restore ${address}`,
    ),
  )
  return [...(left.length > 0 ? [aboutLeft] : []), ...aboutRefused]
}

/** Behind the address that tokens are put to. Asking with one that is no token changes nothing. */
async function checkLink(config: Config, isRunning: boolean): Promise<CheckRow> {
  const what = 'unsubscribe'
  const address = unsubscribeAddress(config)
  if (address.url === undefined) {
    return warn(
      what,
      `readers unsubscribe by a mail to ${contactOf(config)}, and not with a click: ${address.why}`,
      'set server.publicUrl to the https address under which this program is reached (docs/email.md)',
    )
  }
  if (!isRunning || isReservedName(new URL(address.url).hostname)) {
    return ok(what, `with a click, at ${address.url}`)
  }
  const seen = await ask(`${address.url}check`)
  if (seen === 'ours') return ok(what, `with a click, at ${address.url}, which answers as Bluepencil does`)
  return warn(
    what,
    `the link in each mail leads to ${address.url}, which does not answer as Bluepencil does (${seen})`,
    'the proxy must pass on /unsubscribe/ too (docs/run.md); or write another server.publicUrl',
  )
}

async function ask(url: string): Promise<string> {
  try {
    const { status, body } = await exchange(url, {}, { timeoutMs, mostBytes: 64 * 1024, mostValues: 1_000 })
    return status === 404 && body.includes('<title>This link is not valid</title>') ? 'ours' : `${status}`
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return error.reason
  }
}

function contactOf({ email }: Config): string {
  return (email?.replyTo ?? email?.from)?.address ?? 'nobody'
}
