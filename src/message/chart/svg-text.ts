interface TextStyle {
  fill: string
  anchor?: 'start' | 'middle' | 'end'
  size?: number
  isStrong?: boolean
}

export function text(
  x: number,
  y: number,
  words: string,
  { fill, anchor, size, isStrong }: TextStyle,
): string {
  const more = [
    anchor === undefined ? '' : ` text-anchor="${anchor}"`,
    size === undefined ? '' : ` font-size="${size}"`,
    isStrong === true ? ' font-weight="600"' : '',
  ].join('')
  return `<text x="${n(x)}" y="${n(y)}" fill="${fill}"${more}>${escaped(words)}</text>`
}

export function escaped(words: string): string {
  return words.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** A tenth of a pixel is exact enough. */
export function n(value: number): string {
  return String(Number(value.toFixed(1)))
}
