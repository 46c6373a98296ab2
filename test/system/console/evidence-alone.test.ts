import { expect, test, vi } from 'vitest'
import { realEnvironment } from '../../../src/app/environment.ts'
import { openDesk } from './desk.ts'

test('one evidence file at a time is made for each person; who leaves may ask for another', async () => {
  let reads = 0
  const held: (() => void)[] = []
  const openStore: typeof realEnvironment.openStore = async (place, options) => {
    const store = await realEnvironment.openStore(place, options)
    return {
      ...store,
      chain: {
        ...store.chain,
        async from(number, limit) {
          reads += 1
          await new Promise<void>((resolve) => held.push(resolve))
          return store.chain.from(number, limit)
        },
      },
    }
  }
  const desk = await openDesk({}, { openStore })
  await desk.deliver('evt_1')
  const visitor = desk.visitor()
  await visitor.see('/alerts')
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const reader = new AbortController()
  const first = fetch(`${desk.url}alerts/evt_1/evidence`, { headers: { cookie }, signal: reader.signal })
  await vi.waitUntil(() => reads === 1)

  const second = await visitor.see('/alerts/evt_1/evidence')
  expect(second.status).toBe(429)
  expect(second.html).toContain('Another file is being made for you')
  reader.abort()
  await expect(first).rejects.toThrow('aborted')
  await vi.waitUntil(async () => {
    for (const goOn of held.splice(0)) goOn()
    return (await visitor.see('/alerts/evt_2/evidence')).status === 404
  })
})
