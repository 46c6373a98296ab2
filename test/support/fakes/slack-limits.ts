/**
 * Slack's documented limits, read again from its reference and not from our code:
 * https://docs.slack.dev/reference/block-kit/blocks, …/composition-objects and …/methods/chat.postMessage.
 * Answers what is wrong with the arguments of a message; an empty list is a message that Slack would take.
 */
export function problemsOf(message: Record<string, unknown>): string[] {
  const problems: string[] = []
  const say = (problem: string): void => void problems.push(problem)
  const within = (what: string, value: unknown, most: number, unescaped = true) => {
    if (typeof value !== 'string' || value.trim() === '') return say(`${what} is empty`)
    // The strictest reading: as long as it is after escaping.
    const length = unescaped ? value.replaceAll('&', '&amp;').replace(/[<>]/g, '&lt;').length : value.length
    if (length > most) say(`${what} has ${length} of at most ${most} characters`)
    if (!value.isWellFormed()) say(`${what} holds half a character`)
    if (/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(value.replaceAll('\n', ''))) {
      say(`${what} holds a control character`)
    }
  }

  within('text', message.text, 3999, false)
  // Whom the sender mentions stands first; the rest is text.
  const unmentioned = String(message.text).replace(/^(?:<(?:!here|!channel|!subteam\^S\w+|@[UW]\w+)> )+/, '')
  if (/[<>]|&(?!amp;|lt;|gt;)/.test(unmentioned)) say('text is not escaped')
  const blocks = rows(message.blocks)
  if (blocks.length === 0 || blocks.length > 50) say(`${blocks.length} blocks`)
  let total = 0
  for (const text of strings(blocks)) total += text.length
  if (total > 12_000) say(`msg_blocks_too_long: ${total}`)

  for (const block of blocks) {
    switch (block.type) {
      case 'header':
        textObject('header', block.text, 150, ['plain_text'])
        break
      case 'section': {
        const fields = rows(block.fields)
        if (block.text === undefined && fields.length === 0) say('section without text and fields')
        if (block.text !== undefined) textObject('section', block.text, 3000, ['plain_text', 'mrkdwn'])
        if (fields.length > 10) say(`${fields.length} fields`)
        for (const field of fields) textObject('field', field, 2000, ['plain_text', 'mrkdwn'])
        break
      }
      case 'context': {
        const elements = rows(block.elements)
        if (elements.length === 0 || elements.length > 10) say(`${elements.length} context elements`)
        for (const element of elements) textObject('context', element, 3000, ['plain_text', 'mrkdwn'])
        break
      }
      case 'actions':
        if (rows(block.elements).length > 25) say('more than 25 actions')
        for (const button of rows(block.elements)) {
          textObject('button', button.text, 75, ['plain_text'])
          if (button.url !== undefined) within('button url', button.url, 3000)
          else within('button value', button.value, 2000, false)
        }
        break
      case 'rich_text':
        if (rows(block.elements).length === 0) say('rich_text without elements')
        for (const part of rows(block.elements)) richText(part)
        break
      default:
        say(`block of type ${String(block.type)}`)
    }
  }
  return problems

  function textObject(what: string, value: unknown, most: number, types: string[]): void {
    const [object = {}] = rows([value])
    if (!types.includes(String(object.type))) say(`${what} of type ${String(object.type)}`)
    if (object.type === 'mrkdwn' && 'emoji' in object) say('emoji is for plain_text')
    if (object.type === 'plain_text' && 'verbatim' in object) say('verbatim is for mrkdwn')
    within(what, object.text, most, object.type === 'plain_text')
  }

  function richText(part: Record<string, unknown>): void {
    if (!/^rich_text_(section|quote|preformatted|list)$/.test(String(part.type)))
      say(`part ${String(part.type)}`)
    const elements = rows(part.elements)
    if (elements.length === 0) say(`${String(part.type)} without elements`)
    for (const element of elements) {
      if (element.type === 'link') {
        within('link url', element.url, 3000)
        if (!/^https?:\/\//.test(String(element.url))) say('link to something else than the web')
      } else if (element.type !== 'text') say(`rich text ${String(element.type)}`)
      if (typeof element.text !== 'string' || element.text === '') say('rich text is empty')
      else if (element.text.trim() !== '') within('rich text', element.text, 3000)
    }
  }
}

/** All text that a reader sees, of every block, in order. */
export function* strings(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* strings(item)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if ((key === 'text' || key === 'url') && typeof item === 'string') yield item
      else yield* strings(item)
    }
  }
}

function rows(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return []
  return value.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null)
}
