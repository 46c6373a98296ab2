// Checks a file of evidence without Bluepencil: node verify-evidence.mjs evt_01HZX.evidence.json
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const file = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const hash = (data) => createHash('sha256').update(data).digest('hex')
const lines = (list) => list.map((line) => `${line}\n`).join('')
const print = (line) => process.stdout.write(`${line}\n`)
const check = (part, isWhole) => isWhole || print(`${part} was changed`)

const sorted = Object.entries(file.headers).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
const { hash: method, encoding, key, salt, fingerprint } = file.signature ?? {}
const parts = {
  id: file.id,
  received: file.received,
  way: file.way,
  headers: lines(sorted.map(([name, value]) => `${name}: ${value}`)),
  signature: file.signature === null ? '' : lines([method, encoding, key, salt, fingerprint]),
  body: Buffer.from(file.body, 'base64'),
}
for (const [name, bytes] of Object.entries(parts)) check(name, hash(bytes) === file.link[name])

const named = Object.keys(parts).map((name) => `${name} ${file.link[name]}`)
check('link', hash(lines(['bluepencil link 1', ...named])) === file.link.link)
check('batch', file.batch.links.includes(file.link.link))
check('batch', hash(lines(file.batch.links)) === file.chain.heads[0].links)

let previous = file.chain.previous
for (const { number, at, count, links, begins, head } of file.chain.heads) {
  const text = [`number ${number}`, `at ${at}`, `count ${count}`, `links ${links}`, `previous ${previous}`]
  const start = begins === undefined ? [] : [`begins ${begins}`]
  check(`head ${number}`, hash(lines(['bluepencil chain 1', ...text, ...start])) === head)
  previous = head
}
print(`newest head: ${previous}`)
