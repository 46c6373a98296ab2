import { minuteMs } from '../src/platform/durations.ts'
import { openSqliteStore } from '../src/store/sqlite/open.ts'
import type { Decided } from '../src/store/store.ts'
import { alert } from '../test/support/fakes/events.ts'

const batch = 500

/** Fills a store with so many alerts a minute apart, of all models and categories. Some have failed. */
export async function fillForConsole(folder: string, count: number): Promise<void> {
  const store = await openSqliteStore(folder, {
    now: Date.now,
    onTrouble(sentence) {
      throw new Error(sentence)
    },
  })
  for (let from = 0; from < count; from += batch) {
    const size = Math.min(batch, count - from)
    await store.accept(Array.from({ length: size }, (_, index) => decided(from + index, count)))
  }
  await store.close()
}

function decided(number: number, count: number): Decided {
  const at = new Date(Date.now() - (count - number) * minuteMs).toISOString()
  const model = ['claude', 'gemini', 'chatgpt', 'qwen', 'mistral'][number % 5] ?? null
  const category = ['political', 'safety', 'social'][number % 3] ?? null
  const text = JSON.stringify({ model, category, note: `word${number % 1_000}` })
  const entry = alert({
    id: `evt_${number}`,
    model,
    category,
    delta: (number % 40) - 20,
    detectedAt: at,
    receivedAt: at,
    body: { encoding: 'utf8', text },
  })
  const isFailed = number % 997 === 0
  return {
    entry,
    outcomes: {
      desk: isFailed
        ? { state: 'failed', at, attempts: 3, why: 'the mailbox is full' }
        : { state: 'sent', at, attempts: 1, receipt: { text: 'r' } },
      other: { state: 'not_sent', rule: 'models', why: 'the channel gets only another model' },
    },
  }
}
