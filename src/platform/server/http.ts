import type * as http from 'node:http'

/**
 * Node's own `node:http`, without what an `import` of it brings along: that reads every export once, among them
 * WebSocket, for which Node loads undici and HTTP/2, some five megabytes at rest that a server here never uses.
 */
export const { createServer, request, IncomingMessage, ServerResponse }: typeof http =
  process.getBuiltinModule('node:http')
