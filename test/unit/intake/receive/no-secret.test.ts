import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verify } from '../../../../src/intake/receive/signature.ts'
import { checkRows } from '../../../support/check-rows.ts'
import { unusable } from '../../../support/unusable-secrets.ts'
import { type Desk, existing, openDesk, secretOf } from '../subscribe/setup.ts'

const configured = 'whsec_the-operators-own-4711'
const masks = unusable.filter(([secret]) => secret.length > 0).map(([secret]) => `whsec_${secret}`)

let desk: Desk

beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

test('a new subscription whose secret is masked or weak is deleted again, with a reason for the operator', () =>
  checkRows(masks, async (mask) => {
    await desk.close()
    desk = await openDesk()
    desk.service.writeOne = (one, at) => ({ ...one, secret: at === 'create' ? mask : null })
    const keeper = desk.keeper()
    const status = await keeper.ensureNow()
    expect(status).toMatchObject({ state: 'missing', why: expect.stringMatching(/deleted again/) })
    expect(existing(desk)).toEqual([])
    expect(keeper.secrets()).toEqual([])
    expect(JSON.stringify(desk.disk.value)).not.toContain(JSON.stringify(mask).slice(1, -1))
  }))

test('a secret that is masked in the answer and shown later is asked for', async () => {
  desk.service.writeOne = (one, at) => (at === 'create' ? { ...one, secret: 'whsec_****************' } : one)
  const keeper = desk.keeper()
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_1' })
  expect(keeper.secrets()).toEqual([secretOf(desk, 'wh_1')])
})

test('with a configured secret a masked one is not remembered beside it', async () => {
  desk.service.writeOne = (one) => ({ ...one, secret: 'whsec_****************' })
  const keeper = desk.keeper({ configuredSecrets: [configured] })
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_1' })
  expect(keeper.secrets()).toEqual([configured])
  expect(desk.disk.value).toMatchObject({ current: { id: 'wh_1', secret: null } })
})

describe('with any secrets in the config, nothing that is signed verifies', () => {
  const body = Buffer.from('{"id":"evt_forged"}')
  const noForm = { remembered: () => undefined }
  const signed = (key: string | Buffer) => createHmac('sha256', key).update(body).digest('hex')

  test('with what cannot be a secret', () =>
    checkRows(unusable, ([secret]) => {
      for (const written of [secret, `whsec_${secret}`]) {
        for (const key of [written, secret, Buffer.from(secret, 'base64')]) {
          expect(verify(body, signed(key), [written], noForm)).toBeNull()
          const pinned = { key: 'whole' } as const
          expect(verify(body, signed(key), [written], { ...noForm, pinned })).toBeNull()
        }
      }
    }))

  test.each([
    // 20 characters that stand for 15 bytes.
    'whsec_c2hvcnQgYnV0IG9rYXk=',
    // 32 characters that stand for 24 bytes of two kinds.
    `whsec_${Buffer.from('\u0001\u0002'.repeat(12)).toString('base64')}`,
  ])('with the bytes that %s encodes, which are too few or too much alike', (secret) => {
    const decoded = Buffer.from(secret.slice('whsec_'.length), 'base64')
    expect(verify(body, signed(decoded), [secret], noForm)).toBeNull()
  })
})
