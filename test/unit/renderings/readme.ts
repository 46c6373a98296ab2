import { previewDiscord } from '../../../src/channels/discord/preview.ts'
import { previewEmail } from '../../../src/channels/email/preview.ts'
import { previewSlack } from '../../../src/channels/slack/preview.ts'
import type { Rendered } from './rendered.ts'
import { pictures } from './shown.ts'

const style = { width: 78, colour: false }

const head = `# How a message reads

Made with \`npm run renderings\` by the code that sends. \`npm test\` fails when a text on this page or beside it
is out of date. The texts are drawn as \`npm start\` draws them in a terminal. In the pictures, Slack and Discord are
drawings of the payloads as these apps lay them out, and the mail is the real one. [What a chart looks like](../charts/README.md)
has a page of its own; test/unit/message/render/payloads records mails in each language, and what each provider gets in German.

${pictures.map(({ caption, name }) => `${caption}:\n\n![${caption}](${name})\n`).join('\n')}`

/** The page that shows every example. */
export function readme(all: Rendered[]): string {
  return [head, ...all.map(section)].join('\n')
}

function section({ example: { name, title, about, delivery }, slack, discord, email }: Rendered): string {
  return [
    `## ${title}`,
    about,
    ...(delivery === undefined ? [] : ['What came in:', block(delivery, 'json')]),
    `In Slack ([payload](${name}.slack.json)):`,
    block(previewSlack(slack, style)),
    `In Discord ([payload](${name}.discord.json)):`,
    block(previewDiscord(discord, style)),
    `As a mail ([with both its parts](${name}.eml); any other program gets [JSON](${name}.webhook.json)):`,
    block(previewEmail(email, style)),
  ]
    .map((part) => `${part}\n`)
    .join('\n')
}

function block(text: string, language = 'text'): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
}
