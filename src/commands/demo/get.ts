import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { request } from '../../platform/server/http.ts'

/** What something in this process answers, asked from outside. */
export async function get(url: string): Promise<string> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, resolve).on('error', reject).end()
  })
  return text(answer)
}
