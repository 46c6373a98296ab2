/**
 * Mail readers make links of what looks like one, unasked: `https://x`, `www.x.y`, `x.example`, `a@b`. A
 * zero-width space before the sign that they look for stops that, and is not seen. "GPT-4.5" stays as it is.
 */
export function unlink(text: string): string {
  return text
    .replace(/(?<=\p{L}[\p{L}\p{N}+.-]*):(?=[^\s:])|@/gu, '\u200b$&')
    .replace(/(?<=[\p{L}\p{N}_-])[.。．｡](?=[\p{L}\p{N}])/gu, (dot, at: number, whole: string) =>
      /^\d.\d$/u.test(whole.slice(at - 1, at + 2)) ? dot : `\u200b${dot}`,
    )
}
