import { parentPort, workerData } from 'node:worker_threads'
import { backtest } from './backtest.ts'
import type { Trials } from './in-thread.ts'

// Runs configurations over what came in, one after the other, in a thread that ends with it.

const { configs, span }: Trials = workerData
const accounts = []
for (const config of configs) accounts.push(await backtest(config, span))
parentPort?.postMessage(accounts)
