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
    id: contentOf(root, 'atom:id'),
    title: contentOf(root, 'atom:title'),
    updated: contentOf(root, 'atom:updated'),
    links: Object.fromEntries(
      all(root, 'atom:link').map((link) => [contentOf(link, '@rel'), contentOf(link, '@href')]),
    ),
    entries: all(root, 'atom:entry').map((entry) => ({
      id: contentOf(entry, 'atom:id'),
      title: contentOf(entry, 'atom:title'),
      published: contentOf(entry, 'atom:published'),
      updated: contentOf(entry, 'atom:updated'),
      content: contentOf(entry, 'atom:content'),
      tags: all(entry, 'atom:category').map((tag) => contentOf(tag, '@term')),
    })),
  }
}

function all(from: XmlNode, path: string): XmlNode[] {
  return from.find(path, namespaces)
}

function contentOf(from: XmlNode | XmlElement, path: string): string {
  return from.get(path, namespaces)?.content ?? ''
}
