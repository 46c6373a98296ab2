import { parentPort, workerData } from 'node:worker_threads'
import type { ChannelAccount } from './account.ts'
import { backtest } from './backtest.ts'
import type { TrialRequest } from './in-thread.ts'

// Runs configurations over what came in, one after the other, in a thread that ends with it.

async function accountsOf({ configs, span }: TrialRequest): Promise<ChannelAccount[][]> {
  const accounts: ChannelAccount[][] = []
  for (const config of configs) accounts.push(await backtest(config, span))
  return accounts
}

if (parentPort !== null) parentPort.postMessage(await accountsOf(workerData))
