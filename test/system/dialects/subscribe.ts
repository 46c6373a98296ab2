import assert from 'node:assert/strict'
import type { AlertEvent } from '../../../src/event/event.ts'
import { NotFound } from '../../../src/service/client/client.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { fails, type Scene } from './scene.ts'

const events = ['policy_change', 'censorship_spike']

/** A subscription is made, shown, listed among others, served and removed. */
export async function subscribe(scene: Scene): Promise<void> {
  const { dialect, clock, clientOf } = scene
  const client = clientOf('free')
  const secrets: string[] = []
  const receiver = await openReceiver(secrets, clock)
  try {
    const made = await client.createWebhook({ url: receiver.url, events, models: ['claude'] })
    const { id, secret } = made
    assert(secret?.startsWith('whsec_') === true, 'a new subscription shows its secret')
    secrets.push(secret)
    const status = dialect['further-states'] === 'yes' ? 'pending' : 'active'
    assert.deepEqual(made, { id, url: receiver.url, events, models: ['claude'], secret, status })

    const shown = { ...made, secret: dialect['secret-on-get'] === 'yes' ? secret : null, status: 'active' }
    assert.deepEqual(await client.getWebhook(id), shown)

    const ids = [id]
    for (let number = 1; number <= 6; number++) {
      const url = `http://127.0.0.1:9/${number}`
      ids.push((await client.createWebhook({ url, events: ['policy_change'], models: ['qwen'] })).id)
    }
    const listed = await client.listWebhooks()
    assert.deepEqual(listed[0], shown)
    assert.deepEqual(
      listed.map((one) => one.id),
      ids,
    )

    await receive(receiver, secret, scene)

    for (const id of ids) await client.deleteWebhook(id)
    assert.deepEqual(await client.listWebhooks(), [])
    await fails(client.getWebhook(id), NotFound, 404)
  } finally {
    await receiver.close()
  }
}

/** Two events are taken, the first once though it comes twice; the form of the signature is found out. */
async function receive(
  { taken, outcomes, forms }: Receiver,
  secret: string,
  { dialect, sandbox, clock, delivered }: Scene,
): Promise<void> {
  const change = { model: 'claude', category: 'political', delta: 12 }
  const first = sandbox.fire({ ...change, type: 'censorship_spike', repeat: 2 })
  await delivered(2)
  const second = sandbox.fire({ ...change, type: 'policy_change', delta: -4.5 })
  await delivered(3)

  assert.deepEqual(outcomes.toSorted(), ['accepted', 'accepted', 'duplicate'])
  const detectedAt = new Date(clock.now()).toISOString()
  const both = { model: 'claude', category: 'political', detectedAt, unrecognised: [] }
  assert.deepEqual(taken.map(read), [
    { ...both, id: first.id, type: 'censorship_spike', delta: 12 },
    { ...both, id: second.id, type: 'policy_change', delta: -4.5 },
  ])
  // Of the encoding, a signature without + and / and padding says less than which it is.
  assert.equal(forms.get(secret)?.hash, dialect['signature.hash'])
  assert.equal(forms.get(secret)?.key, dialect['signature.key'])
}

function read({ id, type, model, category, delta, detectedAt, unrecognised }: AlertEvent) {
  return { id, type, model, category, delta, detectedAt, unrecognised }
}
