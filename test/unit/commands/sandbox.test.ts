import { expect, test } from 'vitest'
import { run } from '../../../src/commands/program.ts'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'

test('a port that is taken is said in one sentence', async () => {
  const other = await startSandbox({ port: 0, seed: 7 })
  let notes = ''
  const note = (text: string) => {
    notes += text
  }
  try {
    const argv = ['sandbox', '--port', String(other.port)]
    expect(await run(argv, { out: note, note, colour: false, width: 80 })).toBe(1)
    expect(notes).toBe(
      `bluepencil: Port ${other.port} on 127.0.0.1 is in use; choose another, or 0 for any that is free.\n`,
    )
  } finally {
    await other.close()
  }
})
