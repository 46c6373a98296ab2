import { readFileSync } from 'node:fs'
import { lexer, type MarkedToken, type Token, type TokensList, walkTokens } from 'marked'

/** A row of a table in a document, by its cells. */
export interface Row {
  /** The heading that the table stands under. */
  under: string
  /** What the table's first column is called. */
  first: string
  /** The cells as they are written, without the bars. */
  cells: string[]
  /** What each cell has between backticks. */
  code: string[][]
}

export function read(file: string): TokensList {
  return lexer(readFileSync(file, 'utf8'))
}

/** Every row of every table, without their heads. */
export function rowsOf(document: TokensList): Row[] {
  let under = ''
  return document.flatMap((token) => {
    if (isOf('heading', token)) under = token.text
    if (!isOf('table', token)) return []
    return token.rows.map((cells) => ({
      under,
      first: token.header[0]?.text ?? '',
      cells: cells.map(({ text }) => text),
      code: cells.map((cell) => allOf('codespan', cell.tokens).map(({ text }) => text)),
    }))
  })
}

/** Every token of a kind, however deep. */
export function allOf<Kind extends MarkedToken['type']>(kind: Kind, tokens: Token[] | TokensList) {
  const matches: Extract<MarkedToken, { type: Kind }>[] = []
  void walkTokens(tokens, (token) => {
    if (isOf(kind, token)) matches.push(token)
  })
  return matches
}

/** What stands as code, in a line or as a block of its own. */
export function codeIn(document: TokensList): string[] {
  return [...allOf('codespan', document), ...allOf('code', document)].map(({ text }) => text)
}

function isOf<Kind extends MarkedToken['type']>(
  kind: Kind,
  token: Token,
): token is Extract<MarkedToken, { type: Kind }> {
  return token.type === kind
}
