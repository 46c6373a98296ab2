import type { Clock } from './clock.ts'
import type { Notice } from './event/event.ts'
import type { Reloadable } from './reload.ts'
import { render } from './render/render.ts'
import { StoreUnavailable } from './store/store.ts'

/** What a channel gets to take a notice that does not go through its queue, in milliseconds. */
const straightMs = 30_000
/** And to say how that ended, when its time is up. */
const heedMs = 500

/**
 * Through the store like any event. Straight to the operators where the store takes nothing, and where it is the
 * trouble (`key`): a queue that cannot write down what it sent is stuck until that is over.
 */
export async function tellOperators(
  notice: Notice,
  key: string,
  running: Reloadable,
  { clock, straight }: Straight,
): Promise<void> {
  const isOfStore = key === 'store' && notice.phase === 'trouble'
  if (isOfStore && (await straightTo(notice))) return
  try {
    // A process that could write nothing down may have sent what is about the store.
    const mayBeThere = key === 'store' || straight.has(notice.id)
    await running.take(mayBeThere ? { ...notice, uncertain: true } : notice)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    if (isOfStore || !(await straightTo(notice))) throw error
  }

  async function straightTo(one: Notice): Promise<boolean> {
    const isSent = await tellStraight(one, running, clock)
    if (isSent) straight.add(one.id)
    return isSent
  }
}

interface Straight {
  clock: Clock
  /** What this process sent past the store, by id. */
  straight: Set<string>
}

/** True where at least one of the operators' channels has it. */
async function tellStraight(notice: Notice, running: Reloadable, clock: Clock): Promise<boolean> {
  const isSent = await running.lend(async ({ channels, config }, cut) => {
    const operators = channels.filter(({ name }) => config.operators.includes(name))
    const message = render(notice, { service: '', timeZone: 'UTC' })
    const done = new AbortController()
    const tooLong = new AbortController()
    void clock.sleep(straightMs, done.signal).then(() => tooLong.abort())
    const attempt = {
      // A process that was killed may have sent it just before.
      uncertain: true,
      progress: [],
      signal: AbortSignal.any([tooLong.signal, cut]),
    }
    // For a channel that does not heed the signal.
    const noAnswer = async (signal: AbortSignal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      await clock.sleep(heedMs, done.signal)
      return undefined
    }
    const answers = await Promise.allSettled(
      operators.map((channel) => Promise.race([channel.send(message, attempt), noAnswer(attempt.signal)])),
    )
    done.abort()
    return answers.some((answer) => answer.status === 'fulfilled' && answer.value?.result === 'sent')
  })
  return isSent ?? false
}
