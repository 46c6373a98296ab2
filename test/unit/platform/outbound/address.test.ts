import { expect, test } from 'vitest'
import { isLoopback, isPublicAddress } from '../../../../src/platform/outbound/address.ts'
import { checkRows } from '../../../support/check-rows.ts'

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

test('an address of the internet is public', () =>
  checkRows(
    [
      '93.184.216.34',
      '1.1.1.1',
      '172.32.0.1',
      '2606:2800:220:1::1',
      '::ffff:93.184.216.34',
      '64:ff9b::5db8:d822',
    ],
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  ))

test('an address of this machine, of a private network or of none is not public', () =>
  checkRows(
    [
      '127.0.0.1 127.8.8.8 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1',
      '198.18.0.1 224.0.0.1 255.255.255.255 192.0.2.1 ::1 :: fe80::1 fe80::1%eth0 fd00::1 ff02::1 fec0::1',
      '2002:7f00:1:: 2001:db8::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::FFFF:10.0.0.1 ::127.0.0.1 64:ff9b::7f00:1',
      '64:ff9b::1 64:ff9b:1::1 localhost x [::1]',
    ].flatMap((line) => line.split(' ')),
    (address) => {
      expect(isPublicAddress(address)).toBe(false)
    },
  ))
