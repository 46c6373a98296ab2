import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { channelKinds } from '../../../src/channels/registry.ts'

test('every folder of a channel is in the registry, and nothing else', () => {
  const folders = readdirSync('src/channels', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(Object.keys(channelKinds).sort()).toEqual(folders.map(({ name }) => name).sort())
})
