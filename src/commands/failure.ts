import { hintAt, plain } from '../platform/text.ts'

/** A command did not succeed: one message for people, and the exit code. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  /** 1: it failed. 2: it was asked for in a way that cannot work. */
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1, cause?: unknown) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}

/** A channel that the configuration does not have. */
export function noChannel(name: string, channels: readonly string[]): CommandFailure {
  const hint = hintAt(name, channels)
  return new CommandFailure(
    `there is no channel called ${plain(name)}${hint}; there are ${channels.join(', ')}`,
    2,
  )
}
