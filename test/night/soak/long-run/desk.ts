import { readdirSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { type App, startApp } from '../../../../src/app/app.ts'
import { realEnvironment } from '../../../../src/app/environment.ts'
import { readConfigFile } from '../../../../src/config/load.ts'
import { fileOf } from '../../../support/app.ts'
import { createHoppingClock } from './hopping-clock.ts'
import { type Answer, Order, type Sample } from './orders.ts'

// Bluepencil as `serve` composes it, in a process whose parent sets its time. Its arguments: a config file, a
// second one for reloading, the days of retention (fewer than the schema allows), and the store's folder.
const [file = '', other = '', days = '', folder = ''] = process.argv.slice(2)
const retention = Number(days) * 86_400_000
const files = [file, other]
const clock = createHoppingClock()

function config(which: string) {
  return fileOf({ ...readConfigFile(which, {}).compose({}), retention })
}

const app: App = await startApp(config(file), {
  ...realEnvironment,
  clock,
  writeLog() {},
  out: { write() {}, width: 80, colour: false },
})

process.on('message', (message) => void hear(message))
process.send?.(about())

async function hear(message: unknown): Promise<void> {
  const answer = await obey(Order.parse(message))
  if (answer === undefined) process.disconnect?.()
  else process.send?.(answer)
}

async function obey(order: Order): Promise<Answer | undefined> {
  switch (order.do) {
    case 'hop':
      clock.hop(order.milliseconds)
      await turn()
      return about()
    case 'reload':
      files.reverse()
      await app.reload(config(files[0] ?? file))
      return about()
    case 'sample':
      return { ...about(), sample: await sample() }
    case 'stop':
      await app.stop()
      return undefined
  }
}

function about(): Answer {
  return { now: clock.now(), port: app.port }
}

async function sample(): Promise<Sample> {
  const text = await (await fetch(`http://127.0.0.1:${app.port}/metrics`)).text()
  // What is finalised in one collection is freed in the next.
  for (let times = 0; times < 3; times++) {
    globalThis.gc?.()
    await turn()
  }
  const { heapUsed, external } = process.memoryUsage()
  return {
    heap: heapUsed / 1e6,
    outside: external / 1e6,
    handles: readdirSync('/proc/self/fd').length,
    sleepers: clock.sleeping(),
    resources: process.getActiveResourcesInfo().length,
    files: readdirSync(folder, { recursive: true }).length,
    series: text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length,
  }
}
