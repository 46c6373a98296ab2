import { readme } from './readme.ts'
import type { Rendered } from './rendered.ts'

/** Every text file of docs/renderings, by name. */
export function textsOf(all: Rendered[]): Map<string, string> {
  const payloads = all.flatMap(({ example: { name }, slack, discord, webhook, eml }): [string, string][] => [
    [`${name}.slack.json`, json(slack)],
    [`${name}.discord.json`, json(discord)],
    [`${name}.webhook.json`, json(webhook)],
    [`${name}.eml`, eml],
  ])
  return new Map([['README.md', readme(all)], ...payloads])
}

function json(payload: object): string {
  return `${JSON.stringify(payload, null, 2)}\n`
}
