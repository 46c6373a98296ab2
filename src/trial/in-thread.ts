import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Config } from '../config/schema.ts'
import type { ChannelAccount } from './account.ts'
import type { backtest } from './backtest.ts'

export interface TrialRequest {
  configs: readonly Config[]
  span: Parameters<typeof backtest>[1]
}

/** `backtest` of each configuration, in a thread of its own: thousands of alerts take seconds and would block all else. */
export function backtestInThread(trials: TrialRequest): Promise<ChannelAccount[][]> {
  // .ts in a checkout, .js in the package.
  const url = new URL(`./thread${extname(import.meta.url)}`, import.meta.url)
  const thread = new Worker(url, { workerData: trials })
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('the trial ended without a result')))
  })
}
