import { spawn } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { type Running, start } from './process.ts'

/** A desk without a provider; answers its file. */
export function configIn(folder: string): string {
  const file = join(folder, 'b.yaml')
  writeFileSync(
    file,
    `store: file:${folder}/data\nserver: { host: 127.0.0.1, port: 0 }\nwebhook: { secrets: [whsec_of_the_test_of_the_desk] }\nchannels: [{ name: desk, type: console }]\n`,
  )
  return file
}

export async function stopped(process: Running): Promise<{ code: unknown; milliseconds: number }> {
  const before = performance.now()
  process.kill('SIGTERM')
  return { code: await process.ended, milliseconds: performance.now() - before }
}

/** Starts the service and stops it so many milliseconds later, in any state. */
export async function stopAfter(configFile: string, milliseconds: number) {
  const process = start(['serve', '--config', configFile])
  const beginning = performance.now()
  await vi.waitUntil(() => performance.now() - beginning >= milliseconds, { interval: 5 })
  return await stopped(process)
}

/**
 * Sends SIGTERM to a command that starts the program and passes no signal on. Answers the processes that there were, by the last
 * argument, and those that are left.
 */
export async function endByParent(command: string, args: string[]) {
  const mark = args.at(-1) ?? ''
  const started = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk) => (output += chunk))
  await vi.waitUntil(() => output.includes('"ready"') || output.includes('by webhook'))
  const ours = () => commandsOfAll().filter((one) => /bluepencil|main\.js/.test(one) && one.includes(mark))
  const before = ours()
  started.kill('SIGTERM')
  await vi.waitUntil(() => ours().length === 0, { timeout: 12_000 })
  return { before, after: ours() }
}

/** What a stop during the start may end with. */
export const endsOfAStart = [0, 143, 'SIGTERM']
/** However the start goes, a stop ends it by then. */
export const longestStopMs = 10_500

/** Of every process of this machine (Linux). */
export function commandsOfAll(): string[] {
  return globSync('/proc/[0-9]*/cmdline').flatMap((file) => {
    try {
      return [readFileSync(file, 'utf8').replaceAll('\0', ' ')]
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}
