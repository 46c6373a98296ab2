import stringWidth from 'string-width'
import { padded } from '../../platform/terminal.ts'
import { cut, painted, plain } from '../../platform/text.ts'
import type { Terminal } from '../terminal.ts'
import { absent } from './numbers.ts'

export interface ChartBar {
  label: string
  /** `null`: the service gave none. */
  value: number | null
  /** What stands behind the bar. */
  text: string
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const longestLabel = 24

/** Bars from 0 to the largest value. */
export function bars(all: readonly ChartBar[], shown: Pick<Terminal, 'width' | 'colour'>): string {
  const most = Math.max(...all.map(({ value }) => value ?? 0), 0)
  return lines(all, shown, (value, width) => {
    const cells = most === 0 ? 0 : (Math.max(value, 0) / most) * width
    return `${'█'.repeat(Math.floor(cells))}${eighths[Math.floor((cells % 1) * 8)] ?? ''}`
  })
}

/** Bars to both sides of 0, which stands in the middle; the longest reaches the end of its side. */
export function centredBars(all: readonly ChartBar[], shown: Pick<Terminal, 'width' | 'colour'>): string {
  const most = Math.max(...all.map(({ value }) => Math.abs(value ?? 0)))
  return lines(all, shown, (value, width) => {
    const side = Math.floor((width - 1) / 2)
    const cells = most === 0 ? 0 : Math.round((Math.abs(value) / most) * side)
    const full = '█'.repeat(cells)
    return value < 0 ? `${full.padStart(side)}│` : `${' '.repeat(side)}│${full}`
  })
}

function lines(
  all: readonly ChartBar[],
  { width, colour }: Pick<Terminal, 'width' | 'colour'>,
  draw: (value: number, width: number) => string,
): string {
  const labels = all.map(({ label }) => cut(plain(label), longestLabel, stringWidth))
  const labelWidth = Math.max(...labels.map((label) => stringWidth(label)))
  const textWidth = Math.max(...all.map(({ text }) => stringWidth(text)))
  const room = Math.max(width - labelWidth - textWidth - 4, 5)
  return all
    .map(({ value, text }, index) => {
      const bar = value === null ? absent : draw(value, room)
      const space = ' '.repeat(room - stringWidth(bar))
      const shown = value === null ? bar : painted('cyan', bar, colour)
      return `${padded(labels[index] ?? '', labelWidth)}  ${shown}${space}  ${padded(text, textWidth, 'right')}\n`
    })
    .join('')
}
