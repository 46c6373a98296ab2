import { request } from 'node:http'
import { text } from 'node:stream/consumers'

interface Seen {
  status: number
  headers: Record<string, string | string[] | undefined>
  html: string
}

/** Keeps cookies and fills in forms as a browser does, and sends the headers that it is given. */
export interface Visitor {
  /** By a path below the console's. */
  see(path: string, headers?: Record<string, string>): Promise<Seen>
  /** Posts what it is given, and nothing else. */
  post(path: string, fields: Record<string, string> | string, headers?: Record<string, string>): Promise<Seen>
  /** Sends the form of a page whose action it is, filled in; follows where it leads. */
  submit(page: string, action: string, fields?: Record<string, string>): Promise<Seen>
  signIn(name: string, password: string): Promise<Seen>
  cookies: Map<string, string>
}

export function createVisitor(url: string, own: Record<string, string> = {}): Visitor {
  const base = url.replace(/\/$/, '')
  const cookies = new Map<string, string>()

  function ask(
    method: string,
    address: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Seen> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const all = { ...(cookie !== '' && { cookie }), ...own, ...headers }
    return new Promise((resolve, reject) => {
      const sent = request(address, { method, headers: all, agent: false }, (answer) => {
        for (const set of answer.headers['set-cookie'] ?? []) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          if (value === '') cookies.delete(name)
          else cookies.set(name, value)
        }
        text(answer).then(
          (html) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, html }),
          reject,
        )
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  const see: Visitor['see'] = (path, headers = {}) => ask('GET', `${base}${path}`, headers)
  const post: Visitor['post'] = (path, fields, headers = {}) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers }
    return ask('POST', `${base}${path}`, form, new URLSearchParams(fields).toString())
  }

  async function submit(page: string, action: string, fields: Record<string, string> = {}): Promise<Seen> {
    const { html } = await see(page)
    const path = new URL(base).pathname
    const form = html
      .split('<form ')
      .find((one) => one.includes(`action="${path}${action}"`) && hasAll(one, fields))
    if (form === undefined) throw new Error(`${page} has no form for ${action}`)
    const hidden = form
      .slice(0, form.indexOf('</form>'))
      .matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
    const hiddenFields = Object.fromEntries(
      Array.from(hidden, ([, name = '', value = '']) => [name, plain(value)]),
    )
    const answer = await post(action, { ...hiddenFields, ...fields })
    const { location } = answer.headers
    if (answer.status !== 303 || typeof location !== 'string') return answer
    return ask('GET', new URL(location, base).href, {})
  }

  return {
    see,
    post,
    submit,
    signIn: (name, password) => submit('/sign-in', '/sign-in', { name, password }),
    cookies,
  }
}

/** Of several forms with one action: that for this channel. */
function hasAll(form: string, { channel }: Record<string, string>): boolean {
  return (
    channel === undefined || !form.includes('name="channel" value') || form.includes(`value="${channel}"`)
  )
}

function plain(escaped: string): string {
  return escaped
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
