import { styleText } from 'node:util'

/** The text in colour or weight where the terminal shows them; whether it does was asked before. */
export function painted(format: Parameters<typeof styleText>[0], text: string, colour: boolean): string {
  return colour ? styleText(format, text, { validateStream: false }) : text
}
