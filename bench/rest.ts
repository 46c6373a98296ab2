import { setTimeout as delay } from 'node:timers/promises'
import { startSandbox } from '../src/service/sandbox/sandbox.ts'
import { storeName } from './accept.ts'
import { type Child, main, startOurs } from './child.ts'
import { channels, serveArgs, subscription } from './configs.ts'
import type { Scale } from './scale.ts'
import { median, type Row } from './table.ts'

/**
 * Part (c): memory at rest by configured channels, and the time to ready. The first start of each kind may compile, and
 * is not counted: what was compiled is kept for the next ones.
 */
export async function measureRest(folder: string, scale: Scale): Promise<Row[]> {
  const service = await startSandbox({ port: 0, seed: 1 })
  try {
    return [...(await measureMemory(folder, service.url, scale)), ...(await measureReady(folder, scale))]
  } finally {
    await service.close()
  }
}

async function measureMemory(folder: string, service: string, scale: Scale): Promise<Row[]> {
  const { console, email, slack, discord } = channels
  const rows: Row[] = []
  for (const { what, args, env = {}, most } of [
    { what: 'one e-mail channel', args: serveArgs(folder, 'rest', [email]), most: 90 },
    {
      what: 'Slack, Discord and e-mail',
      args: serveArgs(folder, 'rest', [slack, discord, email]),
      most: 150,
    },
    { what: 'the console only', args: serveArgs(folder, 'rest', [console]) },
    {
      what: 'one e-mail channel and a subscription',
      args: serveArgs(folder, 'rest', [email], subscription(service)),
    },
    {
      what: 'one e-mail channel, nothing compiled before',
      args: serveArgs(folder, 'rest', [email]),
      env: { NODE_DISABLE_COMPILE_CACHE: '1' },
    },
  ]) {
    const mebibytes = median(await measure(folder, { args, env }, scale, (child) => child.mebibytes()))
    rows.push({
      what: `memory at rest, ${what}`,
      result: `${Math.round(mebibytes)} MiB`,
      ...(most === undefined ? {} : { target: { text: `< ${most}`, met: mebibytes < most } }),
    })
  }
  return rows
}

async function measureReady(folder: string, scale: Scale): Promise<Row[]> {
  const rows: Row[] = []
  for (const retained of [0, 100_000]) {
    const args = serveArgs(folder, retained === 0 ? 'rest' : storeName(retained), [channels.console])
    const ms = median(await measure(folder, { args }, { ...scale, restMs: 0 }, ({ readyMs }) => readyMs))
    rows.push({
      what: `from start to ready, ${retained.toLocaleString('en')} retained`,
      result: `${Math.round(ms)} ms`,
      target: { text: '< 1,000', met: ms < 1_000 },
    })
  }
  return rows
}

async function measure(
  folder: string,
  { args, env }: { args: readonly string[]; env?: Record<string, string> },
  { starts, restMs }: Scale,
  read: (child: Child) => number,
): Promise<number[]> {
  const values: number[] = []
  for (let start = 0; start <= starts; start++) {
    const child = await startOurs(folder, main, args, env)
    await delay(restMs)
    if (start > 0) values.push(read(child))
    await child.stop()
  }
  return values
}
