import { describe, expect, test } from 'vitest'
import { hour, minute } from '../../system/faults/desk.ts'
import { openDeskWithProviders, troubleOf } from '../../system/faults/providers.ts'
import { refusals, restsUntilMended } from '../../system/faults/refusals.ts'

describe('a channel that takes nothing until a person acts', () => {
  test.each(refusals.slice(1))(
    '%s: one notice at once, calm retries, and all arrives when it is mended',
    async (...refusal) => {
      const both = ['evt_1', 'evt_2']
      expect(await restsUntilMended(refusal)).toEqual({ slack: both, discord: both, mail: both })
    },
  )
})

describe('one of several readers', () => {
  const mailTo = ['a@desk.example', 'b@desk.example', 'c@desk.example']

  test('is refused for good: the others have the mail, and operators are notified once who cannot be reached', async () => {
    const { desk, smtp, read } = await openDeskWithProviders({ mailTo })
    smtp.script({ rcpt: { 'b@desk.example': 550 }, says: 'no such user' })
    for (const id of ['evt_1', 'evt_2', 'evt_3']) await desk.deliver(id)
    await desk.pass(minute)
    expect((await read()).mail).toEqual(['evt_1', 'evt_1', 'evt_2', 'evt_2', 'evt_3', 'evt_3'])
    const others = [['a@desk.example'], ['c@desk.example']]
    expect(smtp.messages().map(({ to }) => to)).toEqual([...others, ...others, ...others])
    expect(await desk.hears(1)).toEqual(['b@desk.example gets no mail: the server rejects the address'])
    expect(desk.toldInFull()[0]).toContain('answers: 550 no such user')
    await desk.pass(2 * hour)
    expect(desk.told()).toHaveLength(1)
    expect(await desk.outcome('evt_1', 'mail')).toMatchObject({
      state: 'sent',
      receipt: { text: expect.stringContaining('to 2 of 3') },
    })
  })

  test('is put off: gets the mail later, and nobody has it twice', async () => {
    const { desk, smtp } = await openDeskWithProviders({ mailTo })
    smtp.script({ rcpt: { 'b@desk.example': 451 } })
    await desk.deliver('evt_1')
    await desk.pass(minute)
    smtp.script({})
    // Longer than any wait between two tries.
    await desk.pass(6 * minute)
    expect(smtp.messages().map(({ to }) => to)).toEqual([
      ['a@desk.example'],
      ['c@desk.example'],
      ['b@desk.example'],
    ])
    expect(desk.told()).toEqual([])
  })
})

describe('TLS that does not verify', () => {
  test.each(['slack', 'discord'] as const)('of %s: a notice comes, and no token is shown', async (name) => {
    const { desk, lines, discord, slack } = await openDeskWithProviders({ scheme: 'https' })
    await lines[name].set('unverified')
    await desk.deliver('evt_1')
    await desk.pass(10 * minute)
    // The other is asked for TLS too, and does not speak it.
    expect((await desk.hears(2)).toSorted()).toEqual([
      troubleOf('discord', 'cannot be reached'),
      troubleOf('slack', 'cannot be reached'),
    ])
    const report = desk.toldInFull().find((text) => text.includes(`${name}” cannot`))
    expect(report).toContain('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
    expect(lines[name].taken()).toBeGreaterThan(0)
    expect([...discord.requests, ...slack.requests]).toEqual([])
  })
})
