import { previewDiscord } from '../../../src/channels/discord/preview.ts'
import { previewEmail } from '../../../src/channels/email/preview.ts'
import { previewSlack } from '../../../src/channels/slack/preview.ts'
import type { Rendered } from './rendered.ts'

const style = { width: 78, colour: false }

const head = `# How a message reads

Made with \`npm run renderings\` by the code that sends; \`npm test\` says when a text on this page or beside it is no longer
what the code gives. The texts are drawn as \`npm start\` draws them in a terminal. In the pictures, Slack and Discord are
drawings of the payloads as these apps lay them out, and the mail is the real one.

![One alert in Slack, in Discord and in a mail reader](alert.png)

The mail follows a reader who has chosen the dark:

![The same mail in the dark](mail-dark.png)

An event that is not as documented is shown as far as it can be read, with a note to editors:

![An event that is not as documented, in all three](not-as-documented.png)
`

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
    `As a mail ([with both its parts](${name}.eml)):`,
    block(previewEmail(email, style)),
  ]
    .map((part) => `${part}\n`)
    .join('\n')
}

function block(text: string, language = 'text'): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
}
