import type { Request, Response } from 'express'
import { isLockedOut } from '../../config/console.ts'
import { byItself } from '../../people/converse/own-feeds.ts'
import { standingOf } from '../access/feed-owner.ts'
import { answerLockedOut, answerProblem } from '../programs.ts'
import { AlertFilters, WrongQuery } from '../query.ts'
import { type ConsoleServices, whoAsks } from '../request.ts'
import { answerFeed, type FeedPath } from './routes.ts'

/** A feed by the address that somebody made for themselves: its secret is all that a reader needs. */
export function ownFeed(path: FeedPath) {
  return async (request: Request, response: Response, services: ConsoleServices): Promise<void> => {
    const { feeds, clock, configEditing } = services.shown
    // Whether its owner still has an account cannot be read.
    const why = configEditing.lockedOut()
    if (why !== undefined) return answerLockedOut(response, why)
    const secret = String(request.params.secret)
    const result = await feeds.find(secret)
    if (result === 'unknown') return answerProblem(response, unknown)
    if (result === 'withdrawn') return answerProblem(response, withdrawn)
    const { feed, visit } = result
    const console = services.console()
    const standing = standingOf(feed.owner, { console, visit, now: clock.now() })
    // No withdrawal: another process may have a configuration that has them.
    if (standing === 'gone') return answerProblem(response, noAccess)
    if (standing === 'away') return answerProblem(response, away)
    const isOfMachine = feed.owner.by === 'machine'
    if (isOfMachine && !('role' in (await whoAsks(request, services))))
      return answerProblem(response, notHere)
    feeds.noteRead(feed)
    const { data: filters } = AlertFilters.safeParse(feed.filters)
    // Never a feed of everything by a slip.
    if (filters === undefined) throw new WrongQuery('this version cannot read the filters of this feed')
    await answerFeed(request, response, services, { filters, path, at: `feed/${secret}/alerts.${path}` })
  }
}

/** Withdraws the feeds of people who have had no account or no role for long. */
export async function withdrawOfGone({
  shown: { feeds, clock },
  console,
}: Pick<ConsoleServices, 'shown' | 'console'>): Promise<void> {
  if (isLockedOut(console())) return
  const gone = (await feeds.all()).filter(
    ({ feed, visit }) => standingOf(feed.owner, { console: console(), visit, now: clock.now() }) === 'gone',
  )
  for (const feed of await feeds.goneForLong(gone.map(({ feed }) => feed)))
    await feeds.withdraw(byItself, feed)
}

const unknown = { status: 404, title: 'There is no such feed', detail: 'Copy its address again.' }
const withdrawn = {
  status: 410,
  title: 'This feed was withdrawn',
  detail: 'Its owner withdrew it, or has lost access. Create a new feed in the console.',
}
const noAccess = {
  status: 403,
  title: 'This feed rests',
  detail: 'Its owner has lost access. If they get it back within an hour, the feed continues.',
}
const away = {
  status: 403,
  title: 'This feed rests',
  detail: 'Its owner has not signed in for 30 days. The feed continues as soon as they do.',
}
const notHere = {
  status: 403,
  title: 'This is not open to you',
  detail: 'This console has no sign-in, so this feed can only be read on this machine.',
}
