import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { guardOf, serversOf } from '../../../src/store/postgres/address.ts'

const tls = (url: string) => serversOf(url).map(({ ssl }) => ssl)

describe('the address of a database', () => {
  test.each([
    'postgres://ana@db.example/desk',
    'postgres://ana@db.example/desk?sslmode=require',
    'postgres://ana@db.example/desk?sslmode=prefer',
    'postgres://ana@db.example/desk?sslmode=verify-full',
    'postgres://ana@db.example/desk?host=10.0.0.7',
    'postgres://ana@localhost.example/desk',
  ])('%s is asked by TLS, and its certificate and name are verified', (url) => {
    expect(tls(url)).toEqual([{ rejectUnauthorized: true }])
  })

  test.each([
    'postgres://ana@localhost/desk',
    'postgres://ana@127.0.0.1:5433/desk',
    'postgres://ana@[::1]:5433/desk',
    'postgres:///desk',
    'postgres://ana@localhost/desk?host=/run/postgresql',
    'postgres://ana@db.example/desk?sslmode=disable',
  ])('%s is on this machine, or to be asked in the clear', (url) => {
    expect(tls(url)).toEqual([false])
  })

  test('a certificate goes unverified only if the address says so', () => {
    expect(tls('postgres://db.example/desk?sslmode=no-verify')).toEqual([{ rejectUnauthorized: false }])
    const [byAuthority] = tls('postgres://db.example/desk?sslmode=verify-ca')
    expect(byAuthority).toMatchObject({ rejectUnauthorized: true, checkServerIdentity: expect.any(Function) })
  })

  test('a private authority and a certificate of our own are read from files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tls-'))
    for (const name of ['ca', 'cert', 'key']) writeFileSync(join(folder, name), name)
    const files = `sslrootcert=${folder}/ca&sslcert=${folder}/cert&sslkey=${folder}/key`
    expect(tls(`postgres://db.example/desk?${files}`)).toMatchObject([{ ca: 'ca', cert: 'cert', key: 'key' }])
    expect(() => serversOf('postgres://db.example/desk?sslrootcert=/nowhere')).toThrow(
      'the file of sslrootcert=/nowhere in the store’s address cannot be read',
    )
  })

  test('of several hosts each is a server of its own, and what is said of TLS is not passed on', () => {
    const url =
      'postgres://ana:w@one:5433,two/desk?sslmode=disable&target_session_attrs=read-write&keepalives=1'
    expect(serversOf(url).map(({ connectionString }) => connectionString)).toEqual([
      'postgres://ana:w@one:5433/desk?keepalives=1',
      'postgres://ana:w@two/desk?keepalives=1',
    ])
  })

  test.each([
    ['postgres://ana@db.example/desk', 'verified'],
    ['postgres://ana@localhost/desk?sslmode=verify-full', 'verified'],
    ['postgres://ana@db.example/desk?sslmode=no-verify', 'not verified'],
    ['postgres://ana@db.example/desk?sslmode=disable', 'in the clear'],
    ['postgres://ana@localhost,db.example/desk?sslmode=disable', 'in the clear'],
    ['postgres://ana@localhost,db.example/desk', 'verified'],
    ['postgres://ana:p@127.0.0.1:5433/desk', 'here'],
    ['postgres://ana@localhost/desk?host=/run/postgresql', 'here'],
  ])('%s is %s, as check says', (url, guard) => {
    expect(guardOf(url)).toBe(guard)
  })

  test('what cannot be meant is refused', () => {
    expect(() => serversOf('postgres://one/desk?sslmode=on')).toThrow('sslmode=on is not supported')
    expect(() => serversOf('postgres://one/desk?target_session_attrs=standby')).toThrow('use read-write')
  })
})
