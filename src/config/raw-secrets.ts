import { isDeepStrictEqual } from 'node:util'
import { isMapping } from '../platform/unknown.ts'

/** Values of these keys are secret, known or not. */
const secretKeys =
  /^(apiKey|clientSecret|refreshToken|secrets?|token|tokens|signingSecret|appToken|password|pass|webhookUrl|smtp)$/
/** Where what is behind a secret is: another address must not get the secret of the one before. */
const addressKeys = ['baseUrl', 'tokenUrl', 'apiUrl']
/** Of each pair one is used: with the one, the other is not kept. */
const alternatives: Record<string, string> = { apiKey: 'oauth', webhookUrl: 'to' }

/** Whether it may be left out only because another key is there instead. */
export function isAlternative(key: string): boolean {
  return Object.entries(alternatives).flat().includes(key)
}

type Mapping = Record<string, unknown>

/** Whether a value is a secret by the key under which it stands, in a raw section or channel. */
export function isSecretAt(key: string, within: Mapping): boolean {
  // Everybody who knows it can post there.
  return secretKeys.test(key) || (key === 'to' && within.type === 'webhook')
}

/** Raw configuration in which no secret is to be read. Beside `before`, it shows which secrets were replaced. */
export function maskedRaw(value: unknown, before?: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => maskedRaw(item, counterpart(item, before)))
  if (!isMapping(value)) return value
  const old = isMapping(before) ? before : {}
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (!isSecretAt(key, value)) return [key, maskedRaw(item, old[key])]
      const isReplaced = old[key] !== undefined && !isDeepStrictEqual(item, old[key])
      return [key, isReplaced ? '••• (replaced)' : '•••']
    }),
  )
}

/** A whole section in which no secret is to be read; one that is a secret itself is hidden whole. */
export function maskedSection(name: string, value: unknown, before?: unknown): unknown {
  return Object(maskedRaw({ [name]: value }, { [name]: before }))[name]
}

/** What has the same name in a list. */
function counterpart(item: unknown, list: unknown): unknown {
  if (!isMapping(item) || !Array.isArray(list)) return undefined
  return list.find((other) => isMapping(other) && other.name === item.name)
}

/** Raw configuration as a file may have it, with each secret as the name of a variable, which is collected. */
export function withVariables(value: unknown, name: string, variables: Set<string>): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      const itemName: unknown = Object(item).name
      const list = name === 'CHANNELS' ? '' : name
      return withVariables(
        item,
        joined(list, typeof itemName === 'string' ? itemName : String(index + 1)),
        variables,
      )
    })
  }
  if (!isMapping(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isSecret = isSecretAt(key, value) || secretPlaces.has(joined(name, key))
      if (!isSecret) return [key, withVariables(item, joined(name, key), variables)]
      const isList = Array.isArray(item)
      const texts = (isList ? item : [item]).map((text: unknown, index) => {
        if (typeof text !== 'string' || isFromVariable(text)) return text
        const variable = freeVariable(joined(name, isList ? `${key}-${index + 1}` : key), variables)
        variables.add(variable)
        return `\${${variable}}`
      })
      return [key, isList ? texts : texts[0]]
    }),
  )
}

/** What the file itself takes from a variable stays as it is written: the whole text, or the password of an address. */
function isFromVariable(text: string): boolean {
  return /^\$\{[^}]+\}$|:\$\{[^}]+\}@/.test(text)
}

/** Two names that differ only in letters outside ASCII are not one variable. */
function freeVariable(name: string, variables: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; variables.has(free); number += 1) free = `${name}_${number}`
  return free
}

/** Addresses that may have a password in them. */
const secretPlaces = new Set(['STORE', 'HEARTBEAT_URL'])

function joined(name: string, key: string): string {
  const words = key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replace(/[^A-Z\d]+/g, '_')
  return [name, words]
    .filter(Boolean)
    .join('_')
    .replace(/^(?=\d)/, '_')
}

interface KeptSecrets {
  value: unknown
  problems: { path: (string | number)[]; message: string }[]
}

const again = 'is needed again: the address has changed, and it must not get the secret of the one before'

/**
 * A form shows no secret, so one that is absent stays as it was, and null removes it. If the address changed, the secret has to be
 * entered again. Pure.
 */
export function keepSecrets(becomes: unknown, before: unknown): KeptSecrets {
  return keep(becomes, before, false)
}

function keep(becomes: unknown, before: unknown, isElsewhere: boolean): KeptSecrets {
  if (Array.isArray(becomes)) {
    const kept = becomes.map((item) => keep(item, counterpart(item, before), isElsewhere))
    const problems = kept.flatMap((item, index) =>
      item.problems.map(({ path, message }) => ({ path: [index, ...path], message })),
    )
    return { value: kept.map(({ value }) => value), problems }
  }
  if (!isMapping(becomes)) return { value: becomes, problems: [] }
  const old = isMapping(before) && before.type === becomes.type ? before : {}
  const moved = isElsewhere || isMoved(becomes, old)
  const value: Mapping = {}
  const problems: KeptSecrets['problems'] = []
  for (const key of new Set([...Object.keys(becomes), ...Object.keys(old)])) {
    const item = becomes[key]
    if (item === null) continue
    if (key === 'smtp') {
      const smtp = smtpWithPassword(item, old.smtp)
      value.smtp = smtp
      if (smtp === undefined) problems.push({ path: [key, 'password'], message: again })
    } else if (item !== undefined) {
      const kept = keep(item, old[key], moved)
      value[key] = kept.value
      problems.push(...kept.problems.map(({ path, message }) => ({ path: [key, ...path], message })))
    } else if (isSecretAt(key, old) && becomes[alternatives[key] ?? ''] === undefined) {
      if (moved) problems.push({ path: [key], message: again })
      else value[key] = old[key]
    }
  }
  return { value, problems }
}

function isMoved(becomes: Mapping, old: Mapping): boolean {
  if (Object.keys(old).length === 0) return false
  const isOther = (key: string) => old[key] !== becomes[key]
  return addressKeys.some(isOther) || (old.type === 'webhook' && becomes.to !== undefined && isOther('to'))
}

/** Undefined if the password has to be entered again. What is no address is refused by its own rules. */
function smtpWithPassword(becomes: unknown, before: unknown): unknown {
  if (becomes === undefined) return before
  const [next, old] = [becomes, before].map((text) => (typeof text === 'string' ? URL.parse(text) : null))
  if (next === null || next === undefined || next.username === '' || next.password !== '') return becomes
  if (old === null || old === undefined || old.password === '') return becomes
  const isSame = serverOf(next) === serverOf(old) && next.username === old.username
  if (!isSame) return undefined
  next.password = old.password
  return next.href
}

/** With the port that counts if none is written. */
function serverOf({ protocol, hostname, port }: URL): string {
  return `${protocol}//${hostname}:${port || (protocol === 'smtps:' ? '465' : '587')}`
}
