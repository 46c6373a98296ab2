import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ask, researcher, sandbox } from './asked.ts'

describe('history --chart', () => {
  test('writes the chart as SVG, and says what it shows', async () => {
    const config = researcher(await sandbox({ 'sample-size': 'per-category' }))
    const file = join(dirname(config), 'claude.svg')
    const argv = ['history', 'claude', '--period', '90d', '--category', 'political', '--chart', file]
    const { code, out, notes } = await ask(config, argv)
    expect(code).toBe(0)
    expect(out).toMatch(/^Claude: political refusal rate, 90d/)
    expect(notes).toMatch(
      /claude\.svg: Claude: political prompts refused, percent per day, 24 Aug 2026 to 21 Nov 2026\./,
    )
    const light = readFileSync(file, 'utf8')
    expect(light).toMatch(/^<svg [^>]*aria-label="Claude: political prompts refused/)
    await ask(config, [...argv, '--dark'])
    expect(readFileSync(file, 'utf8')).not.toBe(light)
  })

  test.each(['claude.gif', 'claude'])('refuses %s before anything is asked', async (name) => {
    const config = researcher('http://127.0.0.1:9/v1')
    const file = join(dirname(config), name)
    const { code, notes } = await ask(config, ['history', 'claude', '--chart', file])
    expect({ code, notes }).toEqual({ code: 2, notes: expect.stringContaining('must end in .svg or .png') })
    expect(existsSync(file)).toBe(false)
  })

  test('refuses --dark where no picture is asked for', async () => {
    const config = researcher('http://127.0.0.1:9/v1')
    const { code, notes } = await ask(config, ['history', 'claude', '--dark'])
    expect({ code, notes }).toEqual({ code: 2, notes: expect.stringContaining('--dark needs --chart') })
  })

  test('says which file could not be written', async () => {
    const config = researcher(await sandbox())
    const { code, notes } = await ask(config, [
      'history',
      'claude',
      '--chart',
      `${dirname(config)}/none/claude.svg`,
    ])
    expect({ code, notes }).toEqual({
      code: 1,
      notes: expect.stringContaining('none/claude.svg could not be written'),
    })
  })
})
