/** Of a terminal. */
export interface PreviewStyle {
  /** In columns. */
  width: number
  colour: boolean
}

/** What a channel would be sent, made by the code that sends it: to be looked at. */
export interface View {
  /** As its readers see it, for a terminal. */
  text(style: PreviewStyle): string | Promise<string>
  /** What goes to the provider. */
  payload: unknown
  /** The content of a file, by the ending of its name; `txt` is the text above. */
  files: Readonly<Record<string, string>>
}
