import { parentPort } from 'node:worker_threads'
import { type Job, work } from './jobs.ts'

parentPort?.on('message', (job: Job) => parentPort?.postMessage(work(job)))
