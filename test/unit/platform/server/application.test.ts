import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createApplication } from '../../../../src/platform/server/application.ts'
import { classesOf } from '../../../../src/platform/server/http.ts'
import { createPatientServer } from '../../../../src/platform/server/listen.ts'

test('a request and its response keep the prototypes with which they were made', async () => {
  const app = createApplication()
  const server = createPatientServer(app, classesOf(app))
  const made: unknown[] = []
  server.prependListener('request', (...both) => made.push(...both.map(Object.getPrototypeOf)))
  const answered: unknown[] = []
  app.get('/', (request, response) => {
    answered.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response))
    response.json({ host: request.get('Host'), ofApp: request.app === app && response.app === app })
  })
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')

  const answer = await fetch(`http://127.0.0.1:${address.port}/`)
  expect(await answer.json()).toEqual({ host: `127.0.0.1:${address.port}`, ofApp: true })
  expect(made).toHaveLength(2)
  expect(answered).toHaveLength(2)
  for (const [index, prototype] of answered.entries()) expect(prototype).toBe(made[index])
})
