// @ts-check
// JavaScript, as main.js: a thread has no cache of what is compiled, and without one it keeps the compiler of TypeScript (16 MiB).

import { enableCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'

if (workerData?.cache !== undefined) enableCompileCache(workerData.cache)
await import('./worker.ts')
