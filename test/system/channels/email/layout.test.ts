import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('layout.html.mustache is what layout.mjml gives', async () => {
  const folder = new URL('../../../../src/channels/email/', import.meta.url)
  const mjml = new URL('../../../../node_modules/mjml/bin/mjml', import.meta.url)
  const { stdout } = await promisify(execFile)(process.execPath, [
    mjml.pathname,
    new URL('layout.mjml', folder).pathname,
    '-s',
    '--noStdoutFileComment',
    '--config.validationLevel',
    'strict',
  ])
  expect(stdout.trimEnd()).toBe((await readFile(new URL('layout.html.mustache', folder), 'utf8')).trimEnd())
})
