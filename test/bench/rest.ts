import { setTimeout as delay } from 'node:timers/promises'
import { storeName } from './accept.ts'
import { type Child, main, startOurs } from './child.ts'
import { channels, serveArgs } from './configs.ts'
import type { Scale } from './scale.ts'
import { median, type Row } from './table.ts'

/** Part (c): memory at rest by configured channels, and the time to ready. The first start of each is not counted. */
export async function measureRest(folder: string, scale: Scale): Promise<Row[]> {
  const { console, email, slack, discord } = channels
  const rows: Row[] = []
  for (const { what, channelRows, most } of [
    { what: 'the console only', channelRows: [console], most: undefined },
    { what: 'one e-mail channel', channelRows: [email], most: 90 },
    { what: 'Slack, Discord and e-mail', channelRows: [slack, discord, email], most: 150 },
  ]) {
    const args = serveArgs(folder, 'rest', ...channelRows)
    const megabytes = median(await measure(folder, args, scale, (child) => child.megabytes()))
    rows.push({
      what: `memory at rest, ${what}`,
      result: `${Math.round(megabytes)} MB`,
      ...(most === undefined ? {} : { target: { text: `< ${most} MB`, met: megabytes < most } }),
    })
  }
  for (const retained of [0, 100_000]) {
    const store = retained === 0 ? 'rest' : storeName(retained)
    const args = serveArgs(folder, store, console)
    const ms = median(await measure(folder, args, { ...scale, restMs: 0 }, ({ readyMs }) => readyMs))
    rows.push({
      what: `from start to ready, ${retained.toLocaleString('en')} retained`,
      result: `${Math.round(ms)} ms`,
      target: { text: '< 1 s', met: ms < 1_000 },
    })
  }
  return rows
}

async function measure(
  folder: string,
  args: readonly string[],
  { starts, restMs }: Scale,
  read: (child: Child) => number,
): Promise<number[]> {
  const values: number[] = []
  for (let start = 0; start <= starts; start++) {
    const child = await startOurs(folder, main, args)
    await delay(restMs)
    if (start > 0) values.push(read(child))
    await child.stop()
  }
  return values
}
