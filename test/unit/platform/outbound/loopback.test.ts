import { expect, test } from 'vitest'
import { isLoopback } from '../../../../src/platform/outbound/loopback.ts'

test.each(['localhost', 'LocalHost', '127.0.0.1', '127.8.9.10', '::1', '[::1]'])(
  '%s is this machine',
  (host) => {
    expect(isLoopback(host)).toBe(true)
  },
)

test.each([
  '',
  'localhost.example',
  '127.example',
  '127.0.0.1.example',
  '127.0.0.999',
  '12.70.0.1',
  '::2',
  '[::ffff:7f00:1]',
])('%s is taken for another machine', (host) => {
  expect(isLoopback(host)).toBe(false)
})
