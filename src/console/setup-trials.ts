import type { CheckRow } from '../channels/channel.ts'
import type { Config } from '../config/schema.ts'
import type { AnswerId, Answers } from '../config/setup/answers.ts'

/** The steps of a set-up whose answers can be tried. */
export type SetupStep = 'channel' | 'service' | 'address'

export interface SetupTrialResult {
  findings: CheckRow[]
  /** The answers that are to be given anew; absent if all is well. */
  wrong?: AnswerId[]
  /** A person may keep the answer all the same. */
  canStay?: boolean
  /** It may be right, but this machine cannot check it: a script goes on. */
  isDoubtful?: boolean
}

/** The service as it runs while somebody sets it up in a browser. */
export interface RunningService {
  config: Config
  /** With it the listener of deliveries signs what asks for our own address. */
  probeKey: string
  /** Who tries. */
  by: string
}

/** Tries the answers of a step, as `init` does; what works may send a test alert. */
export type TryAnswers = (asked: {
  step: SetupStep
  answers: Answers
  around: RunningService
}) => Promise<SetupTrialResult>
