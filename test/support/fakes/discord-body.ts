/**
 * What Discord refuses in a message's body, with the errors that it answers, from its published limits
 * (https://docs.discord.com/developers/resources/message#embed-object-embed-limits). Stricter than the
 * original in two ways. It counts UTF-16 units, which are never fewer than characters. It refuses fields that
 * are not documented for the endpoint, while Discord ignores them.
 */
export interface BodyError {
  status: 400
  body: { message: string; code: number; errors?: unknown }
}

interface Issue {
  path: (string | number)[]
  code: string
  message: string
}

type Complain = (path: Issue['path'], code: string, message: string) => void

const documented = {
  bot: ['content', 'nonce', 'tts', 'embeds', 'allowed_mentions', 'flags', 'enforce_nonce', 'components'],
  webhook: ['content', 'username', 'avatar_url', 'tts', 'embeds', 'allowed_mentions', 'flags', 'thread_name'],
}
const embedFields = ['title', 'description', 'url', 'timestamp', 'color', 'footer', 'author', 'fields']

export function refuseBody(
  body: unknown,
  endpoint: 'bot' | 'webhook',
  { isEdit = false, files = 0 } = {},
): BodyError | undefined {
  if (!isObject(body))
    return { status: 400, body: { message: 'The request body contains invalid JSON.', code: 50109 } }
  const issues: Issue[] = []
  const complain: Complain = (path, code, message) => issues.push({ path, code, message })

  noOthers(body, isEdit ? [...documented[endpoint], 'attachments'] : documented[endpoint], [], complain)
  if (isEdit) checkAttachments(body.attachments, files, complain)
  text(body, 'content', 2000, [], complain)
  boolean(body, 'tts', [], complain)
  boolean(body, 'enforce_nonce', [], complain)
  integer(body, 'flags', 0, 0xffff, [], complain)
  checkNonce(body.nonce, complain)
  checkMentions(body.allowed_mentions, complain)
  checkEmbeds(body.embeds, complain)
  checkComponents(body.components, complain)

  if (issues.length > 0) return { status: 400, body: formError(issues) }
  const empty =
    body.attachments === undefined &&
    blank(body.content) &&
    !(Array.isArray(body.embeds) && body.embeds.length > 0)
  return empty ? { status: 400, body: { message: 'Cannot send an empty message', code: 50006 } } : undefined
}

/** Rows of buttons (https://docs.discord.com/developers/components/reference#button). */
function checkComponents(rows: unknown, complain: Complain): void {
  if (rows === undefined) return
  if (!Array.isArray(rows) || rows.length > 5) {
    complain(['components'], 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.')
    return
  }
  const ids: unknown[] = []
  rows.forEach((row, index) => {
    const path = ['components', index]
    const buttons = isObject(row) && row.type === 1 && Array.isArray(row.components) ? row.components : []
    if (buttons.length === 0 || buttons.length > 5) {
      complain(path, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.')
    }
    for (const button of buttons) {
      if (!isObject(button) || button.type !== 2)
        complain(path, 'UNION_TYPE_CHOICES', 'Value of field "type"')
      else if (button.style === 5) {
        text(button, 'url', 512, path, complain)
        noOthers(button, ['type', 'style', 'label', 'url'], path, complain)
      } else {
        text(button, 'custom_id', 100, path, complain)
        ids.push(button.custom_id)
        noOthers(button, ['type', 'style', 'label', 'custom_id'], path, complain)
      }
      if (isObject(button)) text(button, 'label', 80, path, complain)
    }
  })
  if (new Set(ids).size < ids.length) {
    complain(['components'], 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated')
  }
}

/** Each names a file of the form by its index; this one keeps no older ones. */
function checkAttachments(attachments: unknown, files: number, complain: Complain): void {
  if (attachments === undefined) return
  const path = ['attachments']
  if (!Array.isArray(attachments) || attachments.length !== files) {
    complain(path, 'ATTACHMENT_NOT_FOUND', 'Attachment data not found')
    return
  }
  for (const [index, one] of attachments.entries()) {
    const at = [...path, index]
    if (!isObject(one)) {
      complain(at, 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used.')
      continue
    }
    noOthers(one, ['id', 'filename', 'description'], at, complain)
    if (String(one.id) !== String(index))
      complain([...at, 'id'], 'ATTACHMENT_NOT_FOUND', 'Attachment data not found')
    text(one, 'description', 1024, at, complain)
  }
}

function checkNonce(nonce: unknown, complain: Complain): void {
  if (nonce === undefined || Number.isInteger(nonce)) return
  if (typeof nonce !== 'string') complain(['nonce'], 'NONCE_TYPE', 'Nonce must be a string or an integer.')
  else if (nonce.length > 25) complain(['nonce'], 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.')
}

function checkMentions(mentions: unknown, complain: Complain): void {
  if (mentions === undefined) return
  const path = ['allowed_mentions']
  if (!isObject(mentions)) {
    complain(path, 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used.')
    return
  }
  noOthers(mentions, ['parse', 'roles', 'users', 'replied_user'], path, complain)
  const kinds = ['roles', 'users', 'everyone']
  const wrong = Array.isArray(mentions.parse) && mentions.parse.some((kind) => !kinds.includes(String(kind)))
  if (wrong) complain([...path, 'parse'], 'BASE_TYPE_CHOICES', `Value must be one of (${kinds.join(', ')}).`)
}

function checkEmbeds(embeds: unknown, complain: Complain): void {
  if (embeds === undefined) return
  if (!Array.isArray(embeds)) {
    complain(['embeds'], 'LIST_TYPE_CONVERT', 'Only iterables may be used.')
    return
  }
  if (embeds.length > 10) complain(['embeds'], 'BASE_TYPE_MAX_LENGTH', 'Must be 10 or fewer in length.')
  const total = embeds.reduce((sum: number, embed: unknown, index) => {
    if (isObject(embed)) return sum + checkEmbed(embed, ['embeds', index], complain)
    complain(['embeds', index], 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used.')
    return sum
  }, 0)
  if (total > 6000) {
    complain(['embeds'], 'MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000')
  }
}

/** Answers how many characters count towards the 6,000. */
function checkEmbed(embed: Record<string, unknown>, path: Issue['path'], complain: Complain): number {
  noOthers(embed, embedFields, path, complain)
  integer(embed, 'color', 0, 0xffffff, path, complain)
  if (embed.url !== undefined && !isWebAddress(embed.url)) {
    complain([...path, 'url'], 'URL_TYPE_INVALID_URL', 'Not a well formed URL.')
  }
  if (embed.timestamp !== undefined && !isTime(embed.timestamp)) {
    complain([...path, 'timestamp'], 'DATE_TIME_TYPE_PARSE', 'Could not parse. Should be ISO8601.')
  }
  let total = text(embed, 'title', 256, path, complain) + text(embed, 'description', 4096, path, complain)
  if (isObject(embed.footer)) total += required(embed.footer, 'text', 2048, [...path, 'footer'], complain)
  if (isObject(embed.author)) total += required(embed.author, 'name', 256, [...path, 'author'], complain)
  if (embed.fields === undefined) return total
  const fields: unknown[] = Array.isArray(embed.fields) ? embed.fields : []
  if (fields.length > 25)
    complain([...path, 'fields'], 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.')
  for (const [index, field] of fields.entries()) {
    const at = [...path, 'fields', index]
    if (!isObject(field)) {
      complain(at, 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used.')
      continue
    }
    noOthers(field, ['name', 'value', 'inline'], at, complain)
    boolean(field, 'inline', at, complain)
    total += required(field, 'name', 256, at, complain) + required(field, 'value', 1024, at, complain)
  }
  return total
}

function required(
  from: Record<string, unknown>,
  key: string,
  most: number,
  path: Issue['path'],
  complain: Complain,
): number {
  if (blank(from[key])) complain([...path, key], 'BASE_TYPE_REQUIRED', 'This field is required')
  return text(from, key, most, path, complain)
}

function text(
  from: Record<string, unknown>,
  key: string,
  most: number,
  path: Issue['path'],
  complain: Complain,
): number {
  const value = from[key]
  if (value === undefined) return 0
  if (typeof value !== 'string' || !value.isWellFormed()) {
    complain([...path, key], 'STRING_TYPE_CONVERT', 'Could not interpret as string.')
    return 0
  }
  const length = value.trim().length
  if (length > most) complain([...path, key], 'BASE_TYPE_MAX_LENGTH', `Must be ${most} or fewer in length.`)
  return length
}

function boolean(from: Record<string, unknown>, key: string, path: Issue['path'], complain: Complain): void {
  if (from[key] === undefined || typeof from[key] === 'boolean') return
  complain([...path, key], 'BOOLEAN_TYPE_CONVERT', 'Must be either true or false.')
}

function integer(
  from: Record<string, unknown>,
  key: string,
  least: number,
  most: number,
  path: Issue['path'],
  complain: Complain,
): void {
  const value = from[key]
  if (value === undefined || (Number.isInteger(value) && Number(value) >= least && Number(value) <= most))
    return
  complain([...path, key], 'NUMBER_TYPE_MAX', `int value should be between ${least} and ${most}.`)
}

function noOthers(
  from: Record<string, unknown>,
  keys: string[],
  path: Issue['path'],
  complain: Complain,
): void {
  for (const key of Object.keys(from)) {
    if (!keys.includes(key)) complain([...path, key], 'NOT_DOCUMENTED', 'This field is not documented here.')
  }
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)
}

function isWebAddress(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 2048) return false
  const protocol = URL.parse(value)?.protocol
  return protocol === 'http:' || protocol === 'https:'
}

/** The nested form of https://docs.discord.com/developers/reference#error-messages. */
function formError(issues: Issue[]) {
  const errors: Record<string, unknown> = {}
  for (const { path, code, message } of issues) {
    let at = errors
    for (const key of path) {
      const next = at[key]
      const inner = isObject(next) ? next : {}
      at[key] = inner
      at = inner
    }
    at._errors = [...(Array.isArray(at._errors) ? at._errors : []), { code, message }]
  }
  return { message: 'Invalid Form Body', code: 50035, errors }
}

function blank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === ''
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
