import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { Config } from '../../../src/config/schema.ts'
import { allOf, read } from '../../support/markdown.ts'

/** What an excerpt may leave out. */
const rest = {
  monitor: { baseUrl: 'https://monitor.example/v1', apiKey: 'key_of_the_test' },
  slack: { token: 'xoxb-of-the-test' },
  discord: { token: 'token.of.the.test' },
  email: { smtp: 'smtp://mail.example:587', from: 'desk@desk.example' },
  channels: [{ name: 'ai-desk', type: 'console' }],
}

/** What stands for variables of the environment where their form counts. */
const variables: Record<string, string> = {
  SLACK_WEBHOOK_URL: 'https://hooks.slack.com/services/T0/B0/of_the_test',
  SLACK_APP_TOKEN: 'xapp-of-the-test',
  DISCORD_PUBLIC_KEY: 'c0'.repeat(32),
  WEBHOOK_ADDRESS: 'https://n8n.desk.example/webhook/alerts',
  WEBHOOK_CHANNEL_SECRET: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD3AsVfgQnZ5o=',
  DISCORD_WEBHOOK_URL: 'https://discord.com/api/webhooks/1180000000000000001/of_the_test',
}

const pages = ['README.md', ...globSync('docs/*.md')]
const excerpts = pages.flatMap((page) =>
  allOf('code', read(page))
    .filter(({ lang }) => lang === 'yaml')
    .map(({ text }, index) => ({ page, number: index + 1, text })),
)

test('there are excerpts of a configuration', () => {
  expect(excerpts.length).toBeGreaterThan(1)
})

describe.each(excerpts)('$page, excerpt $number', ({ text }) => {
  test('is a configuration, in all its keys and values', () => {
    const written = text.replace(
      /\$\{(\w+)[^}]*\}/g,
      (_, name) => variables[name] ?? 'xoxb-from-the-environment',
    )
    const excerpt = z.looseObject({}).parse(parse(written))
    const { error } = Config.safeParse({ ...rest, ...excerpt })
    expect(error?.issues ?? []).toEqual([])
  })
})
