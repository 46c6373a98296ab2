import { expect, test, vi } from 'vitest'
import { delivery, openDesk } from './desk.ts'

const forms = [
  'poll_0123456789abcdef0123456789abcdef',
  'ntc_0123456789abcdef01234567',
  `body_${'0'.repeat(64)}`,
  'sum_1763730000000',
  'evt_1~2',
  'evt_1-again-mi8k2j',
]

test('a signed event with an id of our own form is kept under another, and shown as reported by the service', async () => {
  const desk = await openDesk()
  for (const id of forms) {
    const body = delivery(id, { model: `model-of-${forms.indexOf(id)}` })
    const first = await desk.post(body)
    expect(first).toMatchObject({ status: 202, body: { id: expect.stringMatching(/^ext_[\da-f]{32}$/) } })
    expect(await desk.post(body)).toMatchObject({
      status: 200,
      body: { id: JSON.parse(JSON.stringify(first.body)).id },
    })
  }
  const shown = () => desk.serving.stdout().split('desk\n').slice(1)
  await vi.waitUntil(() => shown().length === forms.length, { timeout: 10_000 })
  for (const [index, id] of forms.entries()) {
    expect(shown()[index]).toContain('Reported by the Censorship Monitoring Service')
    expect(shown()[index]).toContain(`“${id}” has the form of`)
    expect(shown()[index]).not.toContain('Found in the published figures')
  }
  // Nothing is known by the id that it came with.
  const [id = ''] = forms
  expect(await desk.command('explain', id)).toMatchObject({ code: 1 })
})
