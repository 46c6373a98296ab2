import confirm from '@inquirer/confirm'
import input from '@inquirer/input'
import password from '@inquirer/password'
import select from '@inquirer/select'

/** A person at a terminal. Each call rejects with an `ExitPromptError` at Ctrl-C. */
export interface Prompter {
  text(message: string, suggested: string | undefined): Promise<string>
  /** What is typed is not shown. */
  secret(message: string): Promise<string>
  choice(
    message: string,
    choices: readonly { value: string; name: string }[],
    first?: string,
  ): Promise<string>
  yes(message: string): Promise<boolean>
}

export const person: Prompter = {
  text: (message, suggested) =>
    input({ message, ...(suggested === undefined ? {} : { default: suggested }) }),
  // Only stars, also when it is asked for: somebody may look on, or the terminal may be recorded.
  secret: (message) => password({ message, mask: true, toggleMask: false }),
  choice: (message, choices, first) =>
    select({ message, choices, ...(first === undefined ? {} : { default: first }) }),
  yes: (message) => confirm({ message, default: false }),
}
