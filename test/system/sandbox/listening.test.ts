import { expect, test } from 'vitest'
import { SandboxCannotListen, startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { startWithClock } from './started.ts'

test('port 0 gives a free port, on loopback, and addresses that name it', async () => {
  const { sandbox } = await startWithClock()
  expect(sandbox.port).toBeGreaterThan(0)
  expect(sandbox.origin).toBe(`http://127.0.0.1:${sandbox.port}`)
  expect(sandbox.url).toBe(`${sandbox.origin}/v1`)
})

test('a host other than 127.0.0.1 can be chosen', async () => {
  const { sandbox, ask } = await startWithClock({ host: 'localhost' })
  expect(sandbox.origin).toBe(`http://localhost:${sandbox.port}`)
  expect((await ask('GET', '/webhooks')).status).toBe(200)
})

test('an idle connection stays open for longer than a client keeps it', async () => {
  const { sandbox } = await startWithClock()
  const { headers } = await fetch(`${sandbox.url}/webhooks`)
  expect(headers.get('keep-alive')).toBe('timeout=65')
})

test('a port in use is refused with one sentence', async () => {
  const { sandbox } = await startWithClock()
  await expect(startSandbox({ port: sandbox.port, seed: 1 })).rejects.toThrow(
    new SandboxCannotListen(
      `Port ${sandbox.port} on 127.0.0.1 is in use; choose another, or 0 for any that is free.`,
    ),
  )
})

test('what is not a port is refused with one sentence', async () => {
  await expect(startSandbox({ port: 70_000, seed: 1 })).rejects.toThrow(
    new SandboxCannotListen('70000 is not a port; choose one from 1 to 65535, or 0 for any that is free.'),
  )
})
