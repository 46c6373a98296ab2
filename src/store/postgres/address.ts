import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { StoreRefused } from '../store.ts'

/** How one server of an address is reached. */
export interface PostgresServer {
  /** With one host, and without what is said of TLS. */
  connectionString: string
  ssl: ConnectionOptions | false
  /** By a socket, or this machine's own address. */
  isHere: boolean
}

/** What is for us and not for the server. */
const ours = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'target_session_attrs']

/**
 * The servers of an address as libpq has it, in its order: `postgres://user:password@one:5432,two/name?sslmode=…`. Of several,
 * the one that can be written is used, as with `target_session_attrs=read-write`: nothing else is of use. Throws `StoreRefused`.
 */
export function serversOf(url: string): PostgresServer[] {
  const [, scheme = '', login = '', hosts = '', rest = '', query = ''] =
    /^(postgres(?:ql)?:\/\/)([^@/?]*@)?([^/?]*)([^?]*)(?:\?(.*))?$/s.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  const attributes = parameters.get('target_session_attrs') ?? 'read-write'
  if (!['read-write', 'primary', 'any'].includes(attributes)) {
    throw new StoreRefused(
      `target_session_attrs=${attributes}: Bluepencil must write to the store; use read-write`,
    )
  }
  const others = new URLSearchParams([...parameters].filter(([key]) => !ours.includes(key)))
  const address = others.size === 0 ? rest : `${rest}?${others}`
  return hosts.split(',').map((host) => {
    const isHere = isOfThisMachine(parameters.get('host') ?? host)
    const connectionString = `${scheme}${login}${host}${address}`
    return { connectionString, ssl: tlsOf(parameters, { isHere }), isHere }
  })
}

/**
 * Another machine is asked by TLS, and its certificate and name are verified, unless `sslmode` says otherwise; what libpq
 * calls `require` or `prefer` would not be.
 */
function tlsOf(parameters: URLSearchParams, { isHere }: { isHere: boolean }): ConnectionOptions | false {
  const mode = parameters.get('sslmode')
  if (mode === 'disable' || (mode === null && isHere)) return false
  if (mode !== null && !['no-verify', 'verify-ca', 'verify-full', 'require', 'prefer'].includes(mode)) {
    throw new StoreRefused(
      `sslmode=${mode} is not supported; leave it out, or write verify-full, verify-ca, no-verify or disable`,
    )
  }
  const file = (key: string) => {
    const path = parameters.get(key)
    return path === null ? undefined : readOrRefuse(key, path)
  }
  const [ca, cert, key] = [file('sslrootcert'), file('sslcert'), file('sslkey')]
  return {
    rejectUnauthorized: mode !== 'no-verify',
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  }
}

/** How the servers of an address are asked, without asking any: in the clear on this machine, or over a network, or by TLS. */
export type ConnectionSecurity = 'here' | 'in the clear' | 'not verified' | 'verified'

/** The least that any of the servers of an address has. Throws `StoreRefused`. */
export function guardOf(url: string): ConnectionSecurity {
  const all = serversOf(url).map(({ ssl, isHere }): ConnectionSecurity => {
    if (ssl !== false) return ssl.rejectUnauthorized === false ? 'not verified' : 'verified'
    return isHere ? 'here' : 'in the clear'
  })
  const order: ConnectionSecurity[] = ['in the clear', 'not verified', 'verified', 'here']
  return order.find((one) => all.includes(one)) ?? 'here'
}

function isOfThisMachine(host: string): boolean {
  const name = host.startsWith('[') ? host.slice(1, host.indexOf(']')) : host.replace(/:\d+$/, '')
  return name === '' || name.startsWith('/') || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(name)
}

function readOrRefuse(key: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StoreRefused(`the file of ${key}=${path} in the store’s address cannot be read`, { cause })
  }
}
