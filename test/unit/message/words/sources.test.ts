import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

/** Readers see all texts of these files in the language of their channel. */
const forReaders = [
  'src/people/converse/**/*.ts',
  'src/people/readers/{page,routes}.ts',
  'src/message/chart/**/*.ts',
  'src/deliver/sent-message.ts',
  'src/message/render/**/*.ts',
  'src/app/{chat,figures}.ts',
  'src/commands/consult.ts',
  'src/commands/monitor/chat-*.ts',
  'src/channels/*/{format,edit,reply,interaction,commands,app}.ts',
]

/** In English all the same: notices to operators and what the log says, answers to programs, what people write. */
const others: Record<string, string[]> = {
  'src/app/chat.ts': [
    'There is nothing at this address.',
    'The body did not arrive in full, or is too large.',
    'while answering in a chat',
    'listening for buttons and commands',
    'Buttons and commands in ',
    ' work again',
    'buttons and commands do not work',
    ' do not work',
    'The settings of ',
    ' have changed',
    '/bluepencil test',
  ],
  'src/app/figures.ts': ['an unexpected error'],
  'src/message/render/render.ts': [
    'Bluepencil could not reach its operators, so you get this notice.',
    'Bluepencil needs attention',
    'This has been resolved.',
    'Noticed',
    ' Please let them know.',
    'From Bluepencil itself, to its operators · ',
    'Weekly status report',
    'As of',
    'From Bluepencil itself · ',
  ],
  'src/message/render/test-message.ts': ['bluepencil test-alert'],
  'src/people/readers/routes.ts': ['This address is opened with GET, and confirmed with POST.'],
  'src/channels/discord/edit.ts': [
    'The message was deleted, or another bot posted it (code ',
    'Discord did not return the id of the message, so Bluepencil cannot edit it.',
    'The bot may not attach files there: allow it Attach Files in the channel’s settings (code 50013).',
  ],
  'src/people/converse/answer.ts': ['/bluepencil silence claude 1h'],
  // For a shell and the console, which are in English.
  'src/people/converse/own-feeds.ts': ['all alerts'],
  'src/people/converse/until.ts': [
    '1h, 2 days, tomorrow or friday (09:00), or a time such as 2026-12-01T09:00',
  ],
  'src/channels/slack/reply.ts': [' silence claude 1h'],
  'src/channels/slack/edit.ts': [
    'it cannot be changed',
    'Slack does not let Bluepencil edit the message (',
    'nothing can be added to it',
    'Slack did not return the id of the message, so ',
    'Slack returned no address for the upload of the picture.',
  ],
}

/** Two words beside each other, or one with a capital or a full stop, as a label or a button has it. */
const saidToSomebody = /\p{L}{2,},? +\p{L}{2,}|^\p{Lu}\p{Ll}+[.:?!…]?$/u

/** Names and what is no word to anybody: markup, elements of JSON, time zones. */
const noWords =
  /^(?:Bluepencil|Slack|Discord|Claude|ChatGPT|Gemini|Mistral|Qwen|Inter|All|None|Allow)$|^GET|[<{=]/

function textsIn(file: string): string[] {
  const code = readFileSync(file, 'utf8')
  const literals: { start: number; text: string }[] = []
  const errors: { start: number; end: number }[] = []
  new Visitor({
    // What is thrown is for the log.
    NewExpression: ({ start, end }) => void errors.push({ start, end }),
    Literal: ({ start, value }) => {
      if (typeof value === 'string') literals.push({ start, text: value })
    },
    TemplateElement: ({ start, value }) => void literals.push({ start, text: value.cooked ?? '' }),
  }).visit(parseSync(file, code).program)
  const texts = literals
    .filter(({ start }) => !errors.some((error) => error.start <= start && start < error.end))
    .map(({ text }) => text)
    .filter((text) => saidToSomebody.test(text) && !noWords.test(text))
  return [...new Set(texts)]
}

test('no sentence and no label for readers is written in the code: they are all in src/message/words, in each language', () => {
  const files = globSync(forReaders).toSorted()
  expect(files.length).toBeGreaterThan(30)
  const left = Object.fromEntries(
    files.map((file) => [file, textsIn(file)]).filter(([, texts]) => texts?.length),
  )
  expect(left).toEqual(others)
})
