import { describe, expect, test } from 'vitest'
import { checkRows } from '../../support/check-rows.ts'
import { command } from '../../support/command.ts'
import { alert } from '../../support/fakes/events.ts'
import { secret } from '../../support/fakes/signed.ts'
import { configured } from '../../support/served.ts'

const channels = `channels: [{ name: desk, type: console }, { name: mail, type: console }]
webhook: { secrets: [${secret}] }
`

const refusals = [
  [['claud', '--for', '1h'], 'claud is not one of chatgpt, claude, gemini, mistral, qwen, all'],
  [
    ['all', '--for', 'ever'],
    '--for ever cannot be read; write 1h, 2 days, tomorrow or friday (09:00), or a time such as',
  ],
  [['all', '--for', '31d'], '--for 31d: a silence must end in the future, within 30 days'],
  [['all', '--for', '1h', '--channel', 'post'], 'there is no channel called post; there are desk, mail'],
] as const

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
      out: 'evt_1 is acknowledged. Bluepencil edits its messages, if the channel allows it.\n',
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
      `${id} has ended. The alerts that it held go out in one message.\n`,
    )
    expect((await ask('silence', 'end', id)).out).toBe(`${id} had ended already.\n`)
    expect(await ask('silence', 'list')).toEqual({
      code: 0,
      out: '',
      notes: 'There are no active silences.\n',
    })
    expect(await ask('silence', 'end', 'act_0')).toEqual({
      code: 1,
      out: '',
      notes: 'bluepencil: there is no silence act_0; bluepencil silence list shows the active ones\n',
    })
  })

  test('a silence that makes no sense is refused, with what to write instead', async () => {
    const ask = await opened()
    await checkRows(refusals, async ([argv, notes]) => {
      const refused = await ask('silence', 'add', ...argv, '--why', 'known')
      expect(refused).toMatchObject({ code: 2, out: '', notes: expect.stringContaining(notes) })
      expect((await ask('silence', 'list')).out).toBe('')
    })
  })
})

describe.each(['beside a running service', 'without one'])('what is held, %s', (how) => {
  async function opened() {
    const made = configured(channels)
    const until = new Date(Date.now() + 7_200_000).toISOString()
    const held = { state: 'held' as const, until, by: 'quiet', why: 'quiet hours' }
    await made.store(
      ...['evt_1', 'evt_2', 'evt_3'].map((id) => ({
        entry: alert({ id }),
        outcomes: { desk: held, mail: held },
      })),
    )
    if (how === 'beside a running service') await made.serve()
    const ask = (...argv: string[]) => command([...argv, '--config', made.file])
    const outcomes = async (id: string) =>
      (await ask('events', '--json')).out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .find(({ entry }) => entry.id === id).outcomes
    return { ask, until, outcomes }
  }
  const when = how === 'beside a running service' ? 'now' : 'when serve runs'

  test('is shown by check, and sent now as one message, which the audit log names', async () => {
    const { ask, until, outcomes } = await opened()
    const minute = until.slice(0, 16).replace('T', ' ')
    expect((await ask('check')).out).toContain(
      `  ok    held: 3 alerts wait until ${minute}Z: quiet hours\n        send now what waits: bluepencil send-held desk\n`,
    )
    expect(await ask('send-held', 'desk', '--by', 'Ana')).toEqual({
      code: 0,
      notes: '',
      out: `3 held alerts go to desk ${when}.\n`,
    })
    const { in: digest } = (await outcomes('evt_1')).desk
    expect(digest).toMatch(/^dgs_/)
    expect((await outcomes('evt_3')).desk).toEqual({ state: 'merged', in: digest })
    expect((await outcomes('evt_3')).mail).toMatchObject({ state: 'held', by: 'quiet' })
    expect((await ask('events')).out).toMatch(/act_\w+ +Ana released what was held for desk \(3 alerts\)\n/)
    expect((await ask('check')).out.match(/send now what waits/g)).toHaveLength(1)
  })

  test('is sent one by one, each as itself', async () => {
    const { ask, outcomes } = await opened()
    expect((await ask('send-held', 'desk', 'evt_2')).out).toBe(`1 held alert goes to desk ${when}.\n`)
    expect((await outcomes('evt_2')).desk.state).toMatch(/^(waiting|sent)$/)
    expect((await outcomes('evt_1')).desk.state).toBe('held')
    expect(await ask('send-held', 'desk', 'evt_2')).toEqual({
      code: 0,
      notes: 'Nothing is held for desk.\n',
      out: '',
    })
    expect(await ask('send-held', 'post')).toMatchObject({
      code: 2,
      notes: 'bluepencil: there is no channel called post; there are desk, mail\n',
    })
  })
})
