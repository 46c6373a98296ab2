/** A picture that belongs to an alert. */
export interface Picture {
  png: Uint8Array
  /** "The last 90 days". */
  title: string
  /** What it shows, in one paragraph of plain text. */
  alt: string
}

/** Light for pages, dark where most readers have a dark screen; either has a background of its own. */
export type Look = 'light' | 'dark'
