/** JSON Schema, draft 2020-12: that of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Names a component of the same document. */
export interface Reference {
  $ref: string
}

export interface Header {
  description: string
  required: boolean
  schema: JsonSchema
}

/** By media type. Without a schema the body is bytes of any form. */
export type Content = Record<string, { schema?: JsonSchema; example?: unknown }>

export interface DocumentedResponse {
  description: string
  headers?: Record<string, Header>
  content?: Content
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: JsonSchema
  /** With `explode: false`, a list is written with commas. */
  style?: 'form'
  explode?: boolean
}

export type Security = readonly Record<string, readonly string[]>[]

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  security?: Security
  parameters?: readonly Parameter[]
  requestBody?: { required: boolean; content: Content }
  /** By status; `2XX` for any success. */
  responses: Record<string, DocumentedResponse | Reference>
}

type Method = 'get' | 'post' | 'delete'
export type PathItem = Partial<Record<Method, Operation>> & { servers?: readonly { url: string }[] }

/** What the service uses of OpenAPI 3.1. */
export interface Contract {
  openapi: '3.1.1'
  info: Record<string, unknown>
  servers: readonly { url: string; description: string }[]
  security: Security
  tags: readonly { name: string; description: string }[]
  paths: Record<string, PathItem>
  webhooks: Record<string, PathItem>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, DocumentedResponse>
    securitySchemes: Record<string, unknown>
  }
}
