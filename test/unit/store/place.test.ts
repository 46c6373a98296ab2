import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { nameOf, storePlace } from '../../../src/store/place.ts'

test('a folder is relative to the working directory', () => {
  expect(storePlace('file:./data')).toEqual({ is: 'folder', folder: resolve('data') })
})

test.each([
  ['postgres://ana:word@db.example:5433/desk?sslmode=disable', 'postgres://db.example:5433/desk'],
  ['postgresql://ana:a%40b@one,two/desk', 'postgresql://one,two/desk'],
  ['postgres://db.example/desk?password=word', 'postgres://db.example/desk'],
])('of %s nothing that is secret is shown', (url, name) => {
  expect(nameOf(storePlace(url))).toBe(name)
})
