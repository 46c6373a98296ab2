import type { OutgoingHttpHeaders } from 'node:http'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as z from 'zod'
import type {
  Contract,
  DocumentedResponse,
  JsonSchema,
  Operation,
} from '../../src/service/sandbox/contract/document.ts'
import { errorAnswer } from '../../src/service/sandbox/contract/errors.ts'
import { openApi } from '../../src/service/sandbox/contract/openapi.ts'
import { ServiceDialect } from '../../src/service/sandbox/dialect.ts'

/** One answer as it went out. */
export interface Exchange {
  /** As the sandbox announced it. */
  dialect: unknown
  method: string
  /** With its query. */
  path: string
  status: number
  headers: OutgoingHttpHeaders
  body: Buffer
}

/** One try to deliver. */
export interface Delivery {
  dialect: unknown
  headers: OutgoingHttpHeaders
  body: Buffer
}

/** HTTP's own, which no contract names. */
const unnamed = new Set(['content-type', 'content-length', 'date', 'connection', 'keep-alive'])

const logger = { log: warn, warn, error: warn }
// What is compiled here checks a few answers: to optimise it takes longer than it saves.
const ajv = new Ajv2020({ strict: false, allErrors: true, logger, code: { optimize: false } })
addFormats.default(ajv)
const contracts = new Map<string, Contract>()
const validators = new Map<string, ValidateFunction>()
const validatorOf = new WeakMap<JsonSchema, ValidateFunction>()

/** In what an answer or a delivery differs from the contract of its dialect, a sentence each. */
export function breachesIn(said: Exchange | Delivery): string[] {
  return 'status' in said ? inAnswer(said) : inDelivery(said)
}

/** What steers the sandbox is no part of the contract. */
function inAnswer(exchange: Exchange): string[] {
  const { method, status } = exchange
  const [path = ''] = exchange.path.split('?')
  if (path.startsWith('/_sandbox')) return []
  const dialect = ServiceDialect.parse(exchange.dialect)
  const contract = contractOf(dialect)
  const operation = operationAt(contract, method === 'HEAD' ? 'GET' : method, path)
  const answers = operation?.responses ?? elsewhere(contract, dialect, path)
  const documented = answers[status]
  const where = `${method} ${exchange.path} answered ${status}`
  if (documented === undefined) {
    return [`${where}, which is not documented: ${Object.keys(answers).join(', ')} are.`]
  }
  const answer = '$ref' in documented ? responseOf(contract, documented.$ref) : documented
  const breaches = [...inHeaders(answer, exchange.headers), ...inBody(contract, answer, exchange)]
  return breaches.map((breach) => `${where}: ${breach}`)
}

function inDelivery({ dialect, headers, body }: Delivery): string[] {
  const contract = contractOf(ServiceDialect.parse(dialect))
  const operation = contract.webhooks.event?.post
  const schema = operation?.requestBody?.content['application/json']?.schema
  const signature = operation?.parameters?.find(({ name }) => name === 'X-Service-Signature')
  if (schema === undefined || signature === undefined) return ['The contract has no webhook.']
  return [
    ...differences(contract, signature.schema, headers[signature.name]).map((one) => `Signature ${one}`),
    ...inJson(contract, schema, body),
  ].map((breach) => `The delivery ${String(body).slice(0, 80)}…: ${breach}`)
}

/** What ajv does not understand, it would otherwise let pass. */
function warn(...complaint: unknown[]): never {
  throw new Error(complaint.join(' '))
}

function contractOf(dialect: ServiceDialect): Contract {
  const key = JSON.stringify(dialect)
  const contract = contracts.get(key) ?? openApi(dialect, 'http://127.0.0.1')
  contracts.set(key, contract)
  return contract
}

function operationAt(contract: Contract, method: string, path: string): Operation | undefined {
  for (const [template, item] of Object.entries(contract.paths)) {
    const pattern = (item.servers === undefined ? '/v1' : '') + template.replaceAll(/\{\w+\}/g, '[^/]+')
    if (!new RegExp(`^${pattern}/?$`, 'i').test(path)) continue
    const operation = { GET: item.get, POST: item.post, DELETE: item.delete }[method]
    if (operation !== undefined) return operation
  }
  return undefined
}

/** A path or method that there is not gets an error and nothing else. */
function elsewhere(contract: Contract, dialect: ServiceDialect, path: string): Operation['responses'] {
  if (!path.startsWith('/v1')) return { 404: errorAnswer(404, 'There is no such path.', dialect) }
  const { BadRequest, Unauthorized, Forbidden, NotFound, TooManyRequests, Unavailable } =
    contract.components.responses
  const all = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    429: TooManyRequests,
    503: Unavailable,
  }
  return Object.fromEntries(Object.entries(all).flatMap(([status, one]) => (one ? [[status, one]] : [])))
}

function responseOf(contract: Contract, reference: string): DocumentedResponse {
  const answer = contract.components.responses[reference.split('/').at(-1) ?? '']
  if (answer === undefined) throw new Error(`The contract has no ${reference}.`)
  return answer
}

function inHeaders({ headers: documented = {} }: DocumentedResponse, sent: OutgoingHttpHeaders): string[] {
  const names = new Map(Object.entries(documented).map(([name, header]) => [name.toLowerCase(), header]))
  const unknown = Object.keys(sent).filter((name) => !names.has(name) && !unnamed.has(name))
  const wrong = [...names].flatMap(([name, { required, schema }]) => {
    const value = sent[name]
    if (value === undefined) return required ? [`The header ${name} is missing.`] : []
    const validate = compiled(schema)
    return validate(value) ? [] : [`The header ${name} is ${String(value)}.`]
  })
  return [...unknown.map((name) => `The header ${name} is not documented.`), ...wrong]
}

function inBody(
  contract: Contract,
  { content }: DocumentedResponse,
  { method, headers, body }: Exchange,
): string[] {
  if (method === 'HEAD') return []
  if (content === undefined) return body.length === 0 ? [] : ['A body is not documented.']
  const [type = ''] = String(headers['content-type']).split(';')
  const documented = content[type]
  if (documented === undefined) {
    return [`The type ${type} is not documented: ${Object.keys(content).join(', ')}.`]
  }
  const isJson = type === 'application/json' && documented.schema !== undefined
  return isJson && documented.schema ? inJson(contract, documented.schema, body) : []
}

function inJson(contract: Contract, schema: JsonSchema, body: Buffer): string[] {
  try {
    const parsed: unknown = JSON.parse(String(body))
    return differences(contract, schema, parsed)
  } catch (error) {
    return [`The body is not JSON: ${String(error)}.`]
  }
}

function differences(contract: Contract, schema: JsonSchema, value: unknown): string[] {
  const validate = validatorOf.get(schema) ?? compiled(inlined(contract, schema))
  validatorOf.set(schema, validate)
  if (validate(value)) return []
  return likeliest(validate.errors ?? [])
    .slice(0, 5)
    .map(({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`)
}

/** Many dialects have most schemas in common; each is compiled once. */
function compiled(schema: JsonSchema): ValidateFunction {
  const key = JSON.stringify(schema)
  const validate = validators.get(key) ?? ajv.compile(schema)
  validators.set(key, validate)
  return validate
}

/** Of several forms that are allowed, what was wrong with the one that was nearest. */
function likeliest(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const ofForm = Map.groupBy(errors, ({ schemaPath }) => /^#\/oneOf\/\d+/.exec(schemaPath)?.[0] ?? '')
  const whole = ofForm.get('')?.filter(({ keyword }) => keyword !== 'oneOf') ?? []
  if (whole.length > 0 || ofForm.size <= 1) return errors
  ofForm.delete('')
  return [...ofForm.values()].toSorted((a, b) => a.length - b.length)[0] ?? errors
}

const Named = z.object({ $ref: z.string() })

/** With each component in the place where it is referred to. */
function inlined(contract: Contract, schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (_key, value: unknown): unknown => {
      const reference = Named.safeParse(value).data?.$ref
      if (reference === undefined) return value
      const component = contract.components.schemas[reference.split('/').at(-1) ?? '']
      if (component === undefined) throw new Error(`The contract has no ${reference}.`)
      return inlined(contract, component)
    }),
  )
}
