import type { Terminal } from '../terminal.ts'

export interface OutputOptions {
  json?: boolean
  csv?: boolean
}

/** The three forms of one result; only the one that was asked for is made. */
interface OutputForms {
  json: () => unknown
  csv: () => string
  text: () => string
}

export function write(options: OutputOptions, terminal: Terminal, forms: OutputForms): void {
  if (options.json) terminal.out(`${JSON.stringify(forms.json(), null, 2)}\n`)
  else if (options.csv) terminal.out(forms.csv())
  else terminal.out(forms.text())
}
