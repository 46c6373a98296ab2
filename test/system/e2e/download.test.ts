import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { download } from '../../../src/commands/monitor/datasets.ts'
import { ask, researcher, sandbox, service } from '../../unit/commands/monitor/asked.ts'
import { runHere } from './run-here.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'bluepencil-download-'))

test('a dataset goes to a file in this folder that is named after it', async () => {
  const config = researcher(await sandbox())
  const cwd = folder()
  const answer = await runHere(['monitor', 'download', 'changes-csv', '--config', config], { cwd })
  expect(answer).toMatchObject({ code: 0, stderr: '' })
  expect(answer.stdout).toMatch(/^changes-csv\.csv: \d\.\d kB\n$/)
  expect(readdirSync(cwd)).toEqual(['changes-csv.csv'])
  expect(readFileSync(join(cwd, 'changes-csv.csv'), 'utf8')).toMatch(/^detected_at,/)
})

test('an existing file is replaced only on request', async () => {
  const config = researcher(await sandbox())
  const output = join(folder(), 'mine.csv')
  writeFileSync(output, 'mine')
  const argv = ['download', 'changes-csv', '--output', output]
  expect(await ask(config, argv)).toEqual({
    code: 2,
    out: '',
    notes: `bluepencil: ${output} exists already; use --force to replace it, or --output for another file\n`,
  })
  expect(readFileSync(output, 'utf8')).toBe('mine')
  expect(await ask(config, [...argv, '--force'])).toMatchObject({ code: 0 })
  expect(readFileSync(output, 'utf8')).toMatch(/^detected_at,/)
})

test('standard output gets the bytes and nothing else', async () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256))
  const config = researcher(await service((_, response) => response.end(bytes)))
  const stdout = new PassThrough()
  const notes: string[] = []
  const got: Buffer[] = []
  stdout.on('data', (chunk: Buffer) => got.push(chunk))
  const terminal = { out: fail, note: (line: string) => void notes.push(line), colour: false, width: 80 }
  await download('x', { config, output: '-' }, terminal, { stdout, stderr: { write: fail } })
  expect(Buffer.concat(got).equals(bytes)).toBe(true)
  expect(notes).toEqual(['standard output: 70.0 kB\n'])
})

test('a terminal is not given what a dataset may hold', async () => {
  const config = researcher(await sandbox())
  const stdout = Object.assign(new PassThrough(), { isTTY: true })
  const terminal = { out: fail, note: fail, colour: false, width: 80 }
  await expect(
    download('changes-csv', { config, output: '-' }, terminal, { stdout, stderr: { write: fail } }),
  ).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('redirect it') })
  stdout.end()
  expect(await text(stdout)).toBe('')
})

test('one that was cut goes on where it ended, and says so', async () => {
  const whole = 'abcdefghij'.repeat(1_000)
  const output = join(folder(), 'x.txt')
  const ranges: (string | undefined)[] = []
  let well = false
  const config = researcher(
    await service(({ headers }, response) => {
      ranges.push(headers.range)
      response.setHeader('etag', '"1"')
      if (ranges.length === 1) {
        response.writeHead(200, { 'content-length': whole.length })
        response.write(whole.slice(0, 4_000))
        // What was not read yet when a connection breaks is lost.
        const there = () => statSync(`${output}.part`, { throwIfNoEntry: false })?.size === 4_000
        void vi.waitUntil(there, { timeout: 10_000, interval: 10 }).finally(() => response.destroy())
        return
      }
      if (!well) return void response.destroy()
      const start = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0)
      const range = `bytes ${start}-${whole.length - 1}/${whole.length}`
      response.writeHead(206, { 'content-range': range, 'content-length': whole.length - start })
      response.end(whole.slice(start))
    }),
  )
  const argv = ['download', 'x', '--output', output]
  const cut = await ask(config, argv)
  expect(cut).toMatchObject({ code: 1, out: '' })
  expect(readdirSync(join(output, '..'))).toEqual(['x.txt.part', 'x.txt.part.json'])

  well = true
  expect(await ask(config, argv)).toEqual({
    code: 0,
    notes: '',
    out: `${output}: 10.0 kB; 4.0 kB were already downloaded\n`,
  })
  expect(ranges.at(-1)).toBe('bytes=4000-')
  expect(readFileSync(output, 'utf8')).toBe(whole)
})

test.each([
  [['download', 'nope'], 1, /the service has no dataset nope; bluepencil monitor datasets lists them/],
  [['download', 'x', '--output', tmpdir()], 2, /is a folder; name a file in it with --output/],
  [['download', 'x', '--output', '/dev/null', '--force'], 2, /is not a regular file; write --output - /],
  [['download', 'changes-csv', '--output', '/nowhere/x'], 1, /cannot be written to \/nowhere\/x \(ENOENT\)/],
])('%j says what to do', async (argv, code, message) => {
  const answer = await ask(researcher(await sandbox()), argv)
  expect(answer.notes).toMatch(message)
  expect(answer.code).toBe(code)
})

function fail(): never {
  throw new Error('nothing should be written here')
}
