import { readFileSync } from 'node:fs'
import { RelaxNGValidator, XmlDocument, type XmlElement, type XmlNode } from 'libxml2-wasm'

const namespaces = { atom: 'http://www.w3.org/2005/Atom' }

export interface ReadFeed {
  id: string
  title: string
  updated: string
  links: Record<string, string>
  entries: {
    id: string
    title: string
    published: string
    updated: string
    content: string
    tags: string[]
  }[]
}

/** A feed as a strict reader has it. Throws where it is not well-formed, or not as RFC 4287 asks (atom.rng). */
export function readAtom(text: string): ReadFeed {
  using schema = XmlDocument.fromBuffer(readFileSync(new URL('atom.rng', import.meta.url)))
  using validator = RelaxNGValidator.fromDoc(schema)
  using document = XmlDocument.fromString(text)
  validator.validate(document)
  const { root } = document
  return {
    id: one(root, 'atom:id'),
    title: one(root, 'atom:title'),
    updated: one(root, 'atom:updated'),
    links: Object.fromEntries(all(root, 'atom:link').map((link) => [one(link, '@rel'), one(link, '@href')])),
    entries: all(root, 'atom:entry').map((entry) => ({
      id: one(entry, 'atom:id'),
      title: one(entry, 'atom:title'),
      published: one(entry, 'atom:published'),
      updated: one(entry, 'atom:updated'),
      content: one(entry, 'atom:content'),
      tags: all(entry, 'atom:category').map((tag) => one(tag, '@term')),
    })),
  }
}

function all(from: XmlNode, path: string): XmlNode[] {
  return from.find(path, namespaces)
}

function one(from: XmlNode | XmlElement, path: string): string {
  return from.get(path, namespaces)?.content ?? ''
}
