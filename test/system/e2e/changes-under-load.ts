import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { vi } from 'vitest'
import type { Newsroom } from './newsroom.ts'
import type { Running } from './process.ts'

/** At once: between its first byte and its last, a file is another configuration, which may be read. */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

/** Answers whether this message was logged again since. */
function loggedAgain(serving: Running, message: string): () => boolean {
  const count = () => serving.log().filter((line) => line.message === message).length
  const before = count()
  return () => count() > before
}

/**
 * Fires so many events. Of every `period` of them, one comes with a change of the configuration, and one with SIGHUP. Ends when every
 * channel has as many, and answers their ids.
 */
export async function changeUnderLoad(
  newsroom: Newsroom,
  serving: Running,
  { events, period }: { events: number; period: number },
): Promise<string[]> {
  const inForce = 'the configuration is in use'
  const ids = Array.from({ length: events }, (_, index) => `evt_${String(index).padStart(3, '0')}`)
  let isInForce = loggedAgain(serving, inForce)
  for (const [index, id] of ids.entries()) {
    if (index % period === period / 2) {
      const text = readFileSync(newsroom.configFile, 'utf8')
      replaceFile(
        newsroom.configFile,
        text.replace(/minDelta: [\d.]+|direction: both/, `minDelta: ${index / 10}`),
      )
    }
    if (index % period === (period * 3) / 4) {
      isInForce = loggedAgain(serving, inForce)
      serving.kill('SIGHUP')
    }
    // What is larger than all before it is no part of a flood.
    const delta = 6 + index / 10
    await newsroom.fire({ id, type: 'censorship_spike', model: 'claude', category: 'political', delta })
    await vi.waitUntil(async () => (await newsroom.attempts()).length === index + 1, { interval: 5 })
  }
  await vi.waitUntil(isInForce)
  const isComplete = async () => Object.values(await newsroom.read()).every(({ length }) => length >= events)
  await vi.waitUntil(isComplete, { timeout: 30_000, interval: 50 })
  return ids
}
