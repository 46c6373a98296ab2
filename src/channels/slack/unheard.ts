import { troubleOf } from './trouble.ts'
import { isOfTheToken } from './verdict.ts'

/**
 * Why Slack gives no connection (https://docs.slack.dev/reference/methods/apps.connections.open), and whether it will not
 * before a person acts.
 */
export function unheard(error: unknown): { why: string; isFinal: boolean } {
  const trouble = troubleOf(error)
  if (trouble.kind !== 'refused')
    return { why: `Slack cannot be reached for Socket Mode (${trouble.kind}).`, isFinal: false }
  const { code } = trouble
  if (code === 'missing_scope') {
    const why =
      'slack.appToken lacks the scope connections:write: make one that has it, under "Basic Information", App-Level Tokens.'
    return { why, isFinal: true }
  }
  if (isOfTheToken(code) || code === 'not_allowed_token_type') {
    const why = `Slack does not accept slack.appToken (${code}): put an app-level token there, xapp-…, with the scope connections:write.`
    return { why, isFinal: true }
  }
  return { why: `Slack does not open Socket Mode (${code}): is it switched on in the app?`, isFinal: false }
}
