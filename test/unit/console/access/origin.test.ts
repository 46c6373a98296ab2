import { expect, test } from 'vitest'
import {
  addressOf,
  isFromHere,
  isSameOrigin,
  isTrustedProxy,
  networkOf,
} from '../../../../src/console/access/origin.ts'

const proxies = ['10.0.0.0/8', '2001:db8::/32']

test.each([
  ['127.0.0.1', 'localhost:8081', true],
  ['::1', '[::1]:8081', true],
  ['::ffff:127.0.0.1', '127.0.0.1', true],
  ['192.0.2.1', 'localhost', false],
  ['127.0.0.1', 'desk.example', false],
  ['127.0.0.1', '', false],
  ['127.0.0.1', 'localhost.evil.example', false],
])('from %s, as %s: at this machine is %s', (address, host, is) => {
  expect(isFromHere({ address, headers: { host } })).toBe(is)
})

test.each([
  [{ host: 'desk.example' }, true],
  [{ host: 'desk.example', origin: 'https://desk.example' }, true],
  [{ host: 'inner:8081', origin: 'https://public.example' }, true],
  [{ host: 'desk.example', origin: 'https://evil.example' }, false],
  [{ host: 'desk.example', origin: 'null' }, false],
  [{ host: 'desk.example', origin: 'https://desk.example', 'sec-fetch-site': 'cross-site' }, false],
  [{ host: 'desk.example', 'sec-fetch-site': 'same-site' }, false],
  [{ host: 'desk.example', 'sec-fetch-site': 'same-origin' }, true],
])('a form with %j is of this origin: %s', (headers, is) => {
  expect(isSameOrigin({ headers }, 'https://public.example/console')).toBe(is)
})

test.each([
  ['10.1.2.3', true],
  ['::ffff:10.1.2.3', true],
  ['11.1.2.3', false],
  ['2001:db8:1::1', true],
  ['2001:db9::1', false],
])('%s is a trusted proxy: %s', (address, is) => {
  expect(isTrustedProxy({ address }, proxies)).toBe(is)
  expect(isTrustedProxy({ address }, [])).toBe(false)
})

test.each([
  ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.9', '198.51.100.1'],
  ['10.0.0.1', 'nonsense', '10.0.0.1'],
  ['10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '198.51.100.1, ::ffff:10.0.0.9', '198.51.100.1'],
  ['10.0.0.1', '1.1.1.1, 198.51.100.1:5555', '198.51.100.1'],
  ['10.0.0.1', '1.1.1.1, [2001:db9::1]:5555', '2001:db9::1'],
  ['10.0.0.1', '1.1.1.1, unknown, 10.0.0.9', '10.0.0.9'],
])('from %s with the header %s, tries are counted for %s', (address, forwarded, counted) => {
  expect(addressOf({ address, headers: { 'x-forwarded-for': forwarded } }, proxies)).toBe(counted)
})

test.each(['127.0.0.1', '::1', '10.1.2.3', 'fd00::1', '192.168.1.1'])(
  'while no proxy is named, nobody’s address is known from %s, which may be one',
  (address) => {
    expect(addressOf({ address, headers: {} }, [])).toBeUndefined()
    expect(addressOf({ address: '1.1.1.1', headers: {} }, [])).toBe('1.1.1.1')
  },
)

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('%s is of the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
