import { describe, expect, test } from 'vitest'
import { createLog, createRedactor } from '../../../src/platform/log.ts'

function logging(...secrets: string[]) {
  const lines: string[] = []
  const redactor = createRedactor()
  redactor.add(secrets)
  return { lines, redactor, log: createLog('debug', redactor, (line) => lines.push(line)) }
}

describe('the log', () => {
  test('is one JSON document a line, with the event on it', () => {
    const { log, lines } = logging()
    log.info({ event: 'evt_1', channel: 'desk' }, 'sent')
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      event: 'evt_1',
      channel: 'desk',
      message: 'sent',
    })
  })

  test.each(['xoxb-planted-secret', 'p@ss/word with "quotes"', 'two\nlines'])(
    'never holds the secret %j',
    (secret) => {
      const { log, lines } = logging(secret)
      const cause = new Error(`connect to smtp://me:${encodeURIComponent(secret)}@mail failed`)
      log.error(
        {
          error: new Error(`refused: ${secret}`, { cause }),
          nested: { token: secret, sent: Buffer.from(secret).toString('base64') },
        },
        `with ${secret}`,
      )
      const text = lines.join('')
      const base64 = Buffer.from(secret).toString('base64')
      for (const form of [secret, base64, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
        expect(text).not.toContain(form)
      }
      expect(text).toContain('[secret]')
      expect(() => JSON.parse(text)).not.toThrow()
    },
  )

  test('hides a secret that it learns of later', () => {
    const { log, lines, redactor } = logging()
    redactor.add(['whsec_given_by_the_service'])
    log.info('whsec_given_by_the_service')
    expect(lines.join('')).not.toContain('whsec_given')
  })

  test('keeps the causes of an error', () => {
    const { log, lines } = logging()
    log.error({ error: new RangeError('outer', { cause: new RangeError('inner') }) }, 'failed')
    expect(JSON.parse(lines[0] ?? '').error).toEqual({
      name: 'RangeError',
      message: 'outer',
      cause: { name: 'RangeError', message: 'inner' },
    })
  })
})
