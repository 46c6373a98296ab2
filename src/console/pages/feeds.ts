import { feedName, mostFeeds, mostOfAll, type OwnFeed } from '../../people/converse/own-feeds.ts'
import { isLoopback } from '../../platform/outbound/address.ts'
import { type Html, html } from '../html.ts'
import { buttonForm, timeOf } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import { AlertFilters, queryOf } from '../query.ts'
import {
  type ActionRequest,
  type ConsoleReply,
  notFound,
  type PageContext,
  type PageRequest,
  problemPage,
} from '../reply.ts'
import { copyField } from './share-parts.ts'

interface FeedsForm {
  problem?: string
  /** It was just made; its address is shown this once. */
  made?: { secret: string; feed: OwnFeed }
}

/** The addresses of feeds that somebody has made for themselves. */
export async function showFeeds(
  { context, owner, root }: Pick<PageRequest, 'context' | 'owner' | 'root'>,
  { feeds }: Pick<ConsoleParts, 'feeds'>,
  { made, problem }: FeedsForm = {},
): Promise<ConsoleReply> {
  const addresses = await feeds.of(owner)
  return {
    page: {
      title: 'Feeds',
      canCopy: made !== undefined,
      ...(problem !== undefined && { status: 422 }),
      body: html`<h1>Feeds</h1>
<p class="text">Follow alerts in your feed reader. Each address below is yours: it needs no sign-in, and works until you withdraw it or lose your access here.</p>
${problem !== undefined && html`<p class="caveat" role="alert">${problem}</p>`}
${made !== undefined && madeOf(made, root)}
${addresses.length === 0 ? html`<p class="none">You have no feed addresses yet.</p>` : tableOf(addresses, context)}
<section aria-labelledby="add"><h2 id="add">Add one</h2>
<p class="text">Choose what you want to follow in the <a href="${context.base}/alerts">list of alerts</a>, then press “Follow in a feed reader” below the list. Or follow all of them:</p>
${followForm({}, context)}</section>`,
    },
  }
}

/** Makes an address for the alerts that are listed. */
export function followForm(filters: AlertFilters, context: Pick<PageContext, 'base' | 'token'>): Html {
  const fields = filledIn(filters)
  return buttonForm(context, {
    action: '/feeds',
    label: 'Follow in a feed reader',
    about: feedName(fields),
    fields,
  })
}

export async function makeFeed(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const { by, key, fields, owner, fits } = request
  const filters = Object.entries(fields).filter(([name, value]) => name in AlertFilters.shape && value !== '')
  const { data } = AlertFilters.safeParse(Object.fromEntries(filters))
  if (data === undefined) {
    return problemPage(422, 'These filters cannot be read', 'Open the list of alerts, and choose them again.')
  }
  const refuse = (problem: string) => showFeeds(request, parts, { problem })
  const made = await parts.feeds.make({ by, key }, { owner, fits, filters: filledIn(data) })
  if (made === 'full') return refuse(`You have ${mostFeeds} addresses. Withdraw one that you do not use.`)
  if (made === 'full-for-all')
    return refuse(
      `All people together have ${mostOfAll} addresses, and there can be no more. Somebody must withdraw one first.`,
    )
  if (made === 'already')
    return refuse(
      'This form was already sent. An address is shown only once: withdraw that one, and create another.',
    )
  return showFeeds(request, parts, { made })
}

/** Of one's own alone. */
export async function withdrawFeed(
  { by, owner, parameters: { id = '' } }: ActionRequest,
  { feeds }: ConsoleParts,
): Promise<ConsoleReply> {
  const feed = (await feeds.of(owner)).find((one) => one.id === id)
  if (feed === undefined) return notFound('You don’t have that feed address, or have withdrawn it.')
  await feeds.withdraw(by, feed)
  return { to: '/feeds?done=feed-withdrawn' }
}

function filledIn(filters: AlertFilters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function madeOf({ secret, feed }: NonNullable<FeedsForm['made']>, root: string): Html {
  const address = `${root}/feed/${secret}/alerts`
  return html`<section class="done" role="status" aria-labelledby="made"><h2 id="made">Your address for ${feedName(feed.filters)}</h2>
<p>It is shown only once. Everybody who has it can read these alerts, so keep it to yourself.</p>
${copyField({ id: 'feed-atom', label: 'Atom', value: `${address}.atom` })}
${copyField({ id: 'feed-json', label: 'JSON Feed', value: `${address}.json` })}
<p>In your feed reader, choose “Add feed”, “Follow” or “Subscribe”, and paste the Atom address. Use the JSON address if your reader asks for JSON Feed.</p>
${isLoopback(new URL(root).hostname) && html`<p>Only feed readers on this machine can reach it. To change that, an admin sets the public address of the console.</p>`}</section>`
}

function tableOf(
  feeds: readonly (OwnFeed & { readAt?: string | undefined })[],
  context: Pick<PageContext, 'base' | 'token' | 'timeZone'>,
): Html {
  const { base, timeZone } = context
  return html`<table class="cards"><thead><tr><th scope="col">Alerts</th><th scope="col">Made</th><th scope="col">Last read</th><th scope="col">Act</th></tr></thead><tbody>
${feeds.map(
  ({ id, filters, madeAt, readAt }) =>
    html`<tr><th scope="row"><a href="${base}/alerts${queryOf(filters)}">${feedName(filters)}</a></th><td data-label="Made">${timeOf(madeAt, timeZone)}</td>
<td data-label="Last read">${readAt === undefined ? 'not yet' : html`${timeOf(readAt, timeZone)}, to the hour`}</td>
<td>${buttonForm(context, { action: `/feeds/${id}/withdraw`, label: 'Withdraw', about: `the address for ${feedName(filters)}` })}</td></tr>`,
)}</tbody></table>`
}
