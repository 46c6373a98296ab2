import { describe, expect, test } from 'vitest'
import { command } from '../../support/command.ts'
import { alert } from '../../support/fakes/events.ts'
import { secret } from '../../support/fakes/signed.ts'
import { configured } from '../../support/served.ts'

const channels = `channels: [{ name: desk, type: console }, { name: mail, type: console }]
webhook: { secrets: [${secret}] }
`

describe.each(['beside a running service', 'without one'])('%s', (how) => {
  async function opened() {
    const made = configured(channels)
    const sent = {
      state: 'sent' as const,
      at: '2026-11-21T13:10:00.000Z',
      attempts: 1,
      receipt: { text: 'r' },
    }
    await made.store({ entry: alert({ id: 'evt_1' }), outcomes: { desk: sent } })
    if (how === 'beside a running service') await made.serve()
    return (...argv: string[]) => command([...argv, '--config', made.file])
  }

  test('an alert is acknowledged, once, and events and explain show by whom', async () => {
    const ask = await opened()
    const first = await ask('acknowledge', 'evt_1', '--by', 'Ana Lopes')
    expect(first).toEqual({
      code: 0,
      notes: '',
      out: 'evt_1 is acknowledged; its messages are edited where they can be.\n',
    })
    expect((await ask('acknowledge', 'evt_1', '--by', 'Ana Lopes')).out).toContain('is acknowledged already')
    const { out } = await ask('events')
    expect(out).toMatch(/act_\w+ +Ana Lopes acknowledged evt_1\n/)
    const id = /act_\w+/.exec(out)?.[0] ?? ''
    expect((await ask('explain', id)).out).toContain('by Ana Lopes, from command, received ')
    expect((await ask('acknowledge', 'evt_9')).notes).toContain('no event evt_9 is stored')
  })

  test('a silence of a category that nobody knows is refused', async () => {
    const ask = await opened()
    const { code, notes } = await ask('silence', 'add', 'claude', 'Politcal', '--for', '2h', '--why', 'x')
    expect([code, notes]).toEqual([
      2,
      'bluepencil: No alert has had the category politcal; there are overall, political, safety, social, all.\n',
    ])
  })

  test('a silence is added, listed and ended', async () => {
    const ask = await opened()
    const why = ['--why', 'known, we are on it', '--by', 'Ana']
    const { code, out } = await ask('silence', 'add', 'Claude', 'Political', '--for', '2h', ...why)
    expect(code).toBe(0)
    const id = /^act_\w+/.exec(out)?.[0] ?? ''
    expect(out).toMatch(
      /: alerts about Claude on political prompts are held until \d{4}-\d\d-\d\d \d\d:\d\dZ/,
    )
    expect((await ask('silence', 'list')).out).toMatch(
      new RegExp(`^${id}  Claude on political prompts  until .*Z  Ana: known, we are on it\\n$`),
    )
    expect(JSON.parse((await ask('silence', 'list', '--json')).out)).toMatchObject({
      id,
      by: { name: 'Ana', via: 'command' },
      scope: { model: 'claude', category: 'political' },
    })
    expect((await ask('silence', 'end', id)).out).toBe(
      `${id} has ended; what it held goes out in one message.\n`,
    )
    expect((await ask('silence', 'end', id)).out).toBe(`${id} had ended already.\n`)
    expect(await ask('silence', 'list')).toEqual({ code: 0, out: '', notes: 'No silence is in force.\n' })
    expect(await ask('silence', 'end', 'act_0')).toEqual({
      code: 1,
      out: '',
      notes: 'bluepencil: no silence is called act_0; bluepencil silence list shows those in force\n',
    })
  })

  test.each([
    [['claud', '--for', '1h'], 'claud is not one of chatgpt, claude, gemini, mistral, qwen, all'],
    [
      ['all', '--for', 'ever'],
      '--for ever cannot be read; write 1h, 90m, 2d, 1w, tomorrow, or a time such as',
    ],
    [['all', '--for', '31d'], '--for 31d: a silence ends later than now, and within 30 days'],
    [['all', '--for', '1h', '--channel', 'post'], 'there is no channel called post; there are desk, mail'],
  ])('a silence of %j is refused, with what to write instead', async (argv, notes) => {
    const ask = await opened()
    const refused = await ask('silence', 'add', ...argv, '--why', 'known')
    expect(refused).toMatchObject({ code: 2, out: '', notes: expect.stringContaining(notes) })
    expect((await ask('silence', 'list')).out).toBe('')
  })
})
