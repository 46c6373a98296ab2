import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { command } from '../../support/command.ts'
import { hourMs, minuteMs } from './desk.ts'
import { openNewsroom } from './newsroom.ts'

const History = z.looseObject({
  history: z.array(z.looseObject({ timestamp: z.string(), political_refusal_rate: z.number() })),
})
const Row = z.looseObject({ measuredAt: z.string().nullable(), revision: z.number() })

/** The service publishes this point of each history anew: its date, and by how much it differs now. */
interface Revision {
  date: string | undefined
  by: number
}

/** What the program is answered from now on has the revision in it. */
function reviseHistories(): Revision {
  const revision: Revision = { date: undefined, by: 0 }
  const ask = globalThis.fetch
  vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
    const response = await ask(...asked)
    if (!response.url.includes('/history') || response.status !== 200) return response
    const history = History.parse(await response.json())
    revision.date ??= history.history.at(-10)?.timestamp
    for (const point of history.history) {
      if (point.timestamp === revision.date) point.political_refusal_rate += revision.by
    }
    return new Response(JSON.stringify(history), response)
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return revision
}

/** `create` answers the address of a store in Postgres, or undefined for a folder. */
export function testRevision(on: string, create: () => Promise<string | undefined>): void {
  test(`on ${on}, a past figure that the service publishes anew is listed once, with both values, and counted in the ledger`, async () => {
    const store = await create()
    const revision = reviseHistories()
    const newsroom = await openNewsroom({ publicUrl: false, ...(store !== undefined && { store }) })
    await newsroom.pass(5 * minuteMs)
    const revised = async () => {
      const { out } = await command(['figures', 'export', '--config', newsroom.configFile, '--jsonl'])
      const rows = out
        .trim()
        .split('\n')
        .map((line) => Row.parse(JSON.parse(line)))
      expect(rows.length).toBeGreaterThan(300)
      return rows.filter((row) => row.revision > 0)
    }
    expect(await revised()).toEqual([])
    const measureAnew = async () => {
      await newsroom.pass(hourMs)
      await newsroom.control('POST', '/world', { measure: true })
      await newsroom.pass(10 * minuteMs)
    }

    revision.by = 0.02
    await measureAnew()
    const [row, ...more] = await revised()
    expect(more).toEqual([])
    expect(row).toMatchObject({
      model: 'claude',
      category: 'political',
      changed: ['rate'],
      revision: 1,
      isCurrent: true,
    })
    expect(Date.parse(row?.measuredAt ?? '')).toBe(Date.parse(revision.date ?? ''))
    expect(Number(row?.percent) - Number(row?.percentBefore)).toBeCloseTo(2)

    await newsroom.restart()
    await measureAnew()
    expect(await revised()).toHaveLength(1)
    const { out } = await command(['ledger', '--config', newsroom.configFile, '--from', '2026-01-01'])
    expect(out.replaceAll(/\s+/g, ' ')).toContain('The service changed 1 figure after publication')
  })
}
