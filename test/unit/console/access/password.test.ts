import { expect, test } from 'vitest'
import { Console } from '../../../../src/config/console.ts'
import { hashOf, hashOfNobody, isPassword } from '../../../../src/console/access/password.ts'

const quick = { ln: 14, r: 8, p: 1 }

test('a hash is that of its password alone, and is another each time', async () => {
  const [one, other] = await Promise.all([hashOf('correct horse', quick), hashOf('correct horse', quick)])
  expect(one).not.toBe(other)
  expect(await isPassword('correct horse', one)).toBe(true)
  expect(await isPassword('correct horses', one)).toBe(false)
  expect(await isPassword('', one)).toBe(false)
})

test('the same letters count as the same, however they were typed', async () => {
  expect(await isPassword('Cafe\u0301', await hashOf('Caf\u00e9', quick))).toBe(true)
})

test('what console-user makes is what the configuration accepts', async () => {
  const users = [{ name: 'ana', password: await hashOf('correct horse') }]
  expect(Console.safeParse({ users }).success).toBe(true)
})

test.each([
  '',
  'correct horse',
  '$scrypt$ln=20,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  '$scrypt$ln=14,r=99,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  '$2b$10$abc',
])('what is no hash, or would cost too much, is nobody’s: %s', async (hash) => {
  expect(await isPassword('correct horse', hash)).toBe(false)
  expect(Console.safeParse({ users: [{ name: 'ana', password: hash }] }).success).toBe(hash.includes('r=99'))
})

test('nobody has the password of nobody', async () => {
  expect(await isPassword('', hashOfNobody)).toBe(false)
})
