import { expect, test } from 'vitest'
import { referencePage } from './reference.ts'

test('docs/reference.md has every command and every key of the configuration: else run this test with -u', async () => {
  await expect(await referencePage()).toMatchFileSnapshot('../../../docs/reference.md')
})
