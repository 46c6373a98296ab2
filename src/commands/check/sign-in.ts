import type { CheckRow } from '../../channels/channel.ts'
import { consolePath } from '../../config/console.ts'
import type { Config } from '../../config/schema.ts'
import { NotSignedIn } from '../../console/access/oidc/failure.ts'
import { discover } from '../../console/access/oidc/provider.ts'
import { callbackPath } from '../../console/addresses.ts'
import { listed } from '../../platform/text.ts'
import { fail, ok, warn } from './row.ts'

/** Where everybody in the world can have an account. */
const openToAll = [
  'accounts.google.com',
  'login.microsoftonline.com/common',
  'login.microsoftonline.com/consumers',
]

/** Whether people could sign in to the console with an account of the OpenID provider; nobody is signed in. */
export async function* checkSignIn({ console }: Config): AsyncGenerator<CheckRow, void> {
  const oidc = console?.oidc
  if (console === undefined || oidc === undefined) return
  const what = 'sign-in'
  try {
    const server = await discover(oidc.issuer)
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const lacks = [
      ...(server.response_types_supported?.includes('code') === false ? ['the response type code'] : []),
      ...(['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const).filter((one) => !server[one]),
      ...(methods.some((one) => ['client_secret_basic', 'client_secret_post'].includes(one))
        ? []
        : ['client_secret_basic and client_secret_post']),
    ]
    if (lacks.length > 0)
      yield fail(what, `${oidc.issuer} does not have ${listed(lacks, 'and')}, which is needed`)
    else yield ok(what, `${oidc.issuer} can be asked`)
    const offered = server.scopes_supported
    const unknown = oidc.scopes.filter((scope) => offered?.includes(scope) === false)
    if (unknown.length > 0) {
      yield warn(
        what,
        `${oidc.issuer} does not name the scope ${listed(unknown, 'or')} (console.oidc.scopes)`,
      )
    }
  } catch (error) {
    if (!(error instanceof NotSignedIn)) throw error
    yield notDiscovered(oidc.issuer, error)
  }
  yield ok(what, `people are sent back to ${callbackOf(console)}, which must be registered there`)
  const { host, pathname } = new URL(oidc.issuer)
  if (oidc.roles.anyone !== undefined && openToAll.some((one) => `${host}${pathname}`.startsWith(one))) {
    const hint = 'write console.oidc.roles.emails, with @ and a domain, or groups'
    yield warn(
      what,
      `anyone can have an account at ${host}, and has the role ${oidc.roles.anyone} here`,
      hint,
    )
  }
}

function notDiscovered(issuer: string, { why, codes }: NotSignedIn): CheckRow {
  const what = 'sign-in'
  const document = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  if (why === 'away') return fail(what, `${document} could not be read: ${codes}`)
  return codes?.startsWith('OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
    ? fail(
        what,
        `the provider at ${issuer} calls itself otherwise`,
        `write console.oidc.issuer as it stands under "issuer" in ${document}, a slash at its end included`,
      )
    : fail(what, `${document} is not what an OpenID provider says of itself: ${codes}`)
}

function callbackOf(console: NonNullable<Config['console']>): string {
  const { publicUrl, listen } = console
  const origin = publicUrl === undefined ? `http://localhost:${listen.port}` : new URL(publicUrl).origin
  return `${origin}${consolePath(console)}${callbackPath}`
}
