import { readFileSync } from 'node:fs'
import { lexer, type MarkedToken, type Token } from 'marked'
import { type Node, parseSync, Visitor } from 'oxc-parser'

/** A sentence that people read, and the line it begins on. */
export interface Sentence {
  file: string
  line: number
  text: string
}

/** A paragraph, a cell, a comment or a string: what is between two sentences of it never belongs to both. */
interface Passage {
  line: number
  text: string
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

export function sentencesOf(file: string, source = readFileSync(file, 'utf8')): Sentence[] {
  const passages = file.endsWith('.md') ? passagesOfPage(source) : passagesOfCode(file, source)
  return passages.flatMap(({ line, text }) =>
    Array.from(segmenter.segment(text.replaceAll(/\s+/g, ' ')), ({ segment }) => ({
      file,
      line,
      text: segment.trim(),
    })).filter(({ text: sentence }) => /\p{L}/u.test(sentence)),
  )
}

/** Code, in a line or as a block, is a word or nothing. */
function passagesOfPage(source: string): Passage[] {
  let line = 1
  return lexer(source).flatMap((token) => {
    const passages = textsOf(token).map((text) => ({ line, text }))
    line += token.raw.split('\n').length - 1
    return passages
  })
}

function textsOf(token: Token): string[] {
  // The lexer's type has a kind for tokens of extensions, of which there are none.
  const block = token as MarkedToken
  if (block.type === 'list') return block.items.flatMap(({ tokens }) => tokens.flatMap(textsOf))
  if (block.type === 'blockquote') return block.tokens.flatMap(textsOf)
  if (block.type === 'table') return [block.header, ...block.rows].flat().map(({ tokens }) => inline(tokens))
  if (block.type === 'heading' || block.type === 'paragraph') return [inline(block.tokens)]
  return block.type === 'text' ? [inline(block.tokens ?? [block])] : []
}

function inline(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'codespan') return 'X'
      if ('tokens' in token && token.tokens !== undefined) return inline(token.tokens)
      return 'text' in token ? String(token.text) : ' '
    })
    .join('')
}

/** Of markup, what is between two tags is read; a tag inside a sentence does not end it. */
const tagsThatEnd = /<\/?(?!(?:a|b|code|em|i|span|strong|time)\b)!?[a-z\d]+(?:[\s/][^<>]*)?>/
const tagsInside = /<\/?[a-z]+(?:\s[^<>]*)?>/g

const statementOfSql = /^\s*(select|insert|update|delete|with|create|alter|drop|pragma|begin|from|where)\b/i

function passagesOfCode(file: string, source: string): Passage[] {
  const { program, comments } = parseSync(file, source)
  const starts = lineStarts(source)
  const lineAt = (offset: number) => starts.findLastIndex((start) => start <= offset) + 1
  const passages: Passage[] = []
  const add = (node: Pick<Node, 'start'>, text: string) => {
    for (const part of text.split(tagsThatEnd)) {
      const words = part.replaceAll(tagsInside, '')
      // Shorter texts are names, keys and labels.
      if (words.split(/\s+/).length >= 4 && !statementOfSql.test(words))
        passages.push({ line: lineAt(node.start), text: words })
    }
  }
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === 'string') add(node, node.value)
    },
    TemplateLiteral: (node) => add(node, node.quasis.map(({ value }) => value.cooked ?? '').join('X')),
  }).visit(program)
  for (const comment of joined(comments, source)) {
    // An example in a doc comment is indented, and a line of its own is a line of its own.
    const text = comment.text.replaceAll(/^ *\* ?/gm, '').replaceAll(/`[^`]*`/g, 'X')
    for (const paragraph of text.split(/\n\s*\n|\n(?= {4}|[-*@])/)) {
      if (!/^ {4}/.test(paragraph)) add(comment, paragraph)
    }
  }
  return passages
}

interface CommentBlock {
  start: number
  end: number
  text: string
}

/** Lines that each begin with two slashes are one comment. */
function joined(comments: ReturnType<typeof parseSync>['comments'], source: string): CommentBlock[] {
  const blocks: CommentBlock[] = []
  for (const { type, value, start, end } of comments) {
    const last = blocks.at(-1)
    const isNext = type === 'Line' && last !== undefined && /^\n[ \t]*$/.test(source.slice(last.end, start))
    if (isNext) Object.assign(last, { end, text: `${last.text}\n${value}` })
    else blocks.push({ start, end, text: value })
  }
  return blocks
}

function lineStarts(source: string): number[] {
  return [0, ...Array.from(source.matchAll(/\n/g), ({ index }) => index + 1)]
}
