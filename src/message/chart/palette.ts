/** The colours of one look. Text is readable on the background (WCAG 2.2: 4.5 to 1), lines stand out from it (3 to 1). */
export interface Palette {
  background: string
  ink: string
  muted: string
  grid: string
  band: string
  /** The mean of the baseline. */
  mean: string
  line: string
  change: string
}

export type PaletteName = 'light' | 'dark'

/**
 * Blue and orange stay apart for colour-blind readers (Okabe and Ito, "Color Universal Design", 2008). The change is a line
 * with an arrow and words besides, so that nothing is said by colour alone.
 */
export const palettes: Record<PaletteName, Palette> = {
  light: {
    background: '#ffffff',
    ink: '#1f2328',
    muted: '#59636e',
    grid: '#e4e7eb',
    band: '#dde1e6',
    mean: '#6b7480',
    line: '#0072b2',
    change: '#b34700',
  },
  dark: {
    background: '#1e1f22',
    ink: '#f2f3f5',
    muted: '#b5bac1',
    grid: '#35373c',
    band: '#43464d',
    mean: '#9aa0a8',
    line: '#56b4e9',
    change: '#ffa04d',
  },
}
