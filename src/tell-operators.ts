import type { Notice } from './event/event.ts'
import type { Reloadable } from './reload.ts'
import { render } from './render/render.ts'
import { StoreUnavailable } from './store/store.ts'

/** What a channel gets to take a notice that does not go through its queue, in milliseconds. */
const straightMs = 30_000

/**
 * Through the store like any event. Straight to the operators where the store takes nothing, and where it is the
 * trouble (`key`): a queue that cannot write down what it sent is stuck until that is over.
 */
export async function tellOperators(notice: Notice, key: string, running: Reloadable): Promise<void> {
  const isOfStore = key === 'store' && notice.phase === 'trouble'
  if (isOfStore && (await tellStraight(notice, running))) return
  try {
    await running.take(notice)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    if (isOfStore || !(await tellStraight(notice, running))) throw error
  }
}

/** True where at least one of the operators' channels has it. */
async function tellStraight(notice: Notice, running: Reloadable): Promise<boolean> {
  const { channels, config } = running.current()
  const operators = channels.filter(({ name }) => config.operators.includes(name))
  const message = render(notice, { service: '', timeZone: 'UTC' })
  const attempt = {
    uncertain: false,
    progress: [],
    signal: AbortSignal.timeout(straightMs),
  }
  const answers = await Promise.all(operators.map((channel) => channel.send(message, attempt)))
  return answers.some(({ result }) => result === 'sent')
}
