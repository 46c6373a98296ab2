import { createHmac } from 'node:crypto'

/** The receiver of a request: each gets the same content in its own form. */
export const kinds = ['bluepencil', 'webhook', 'octokit', 'alertmanager'] as const
export type Kind = (typeof kinds)[number]

/** Signs everything here. */
export const secret = 'whsec_Y2Vuc29yc2hpcG1vbml0b3I'

const methodology = 'https://monitor.example/methodology/refusal-rates'

const paths: Record<Kind, string> = {
  bluepencil: '/webhook',
  webhook: '/hooks/event',
  octokit: '/api/github/webhooks',
  alertmanager: '/api/v2/alerts',
}

/** One whole HTTP request, headers and body, ready for the socket. */
export function request(kind: Kind, id: string, now: number, model = 'claude'): Buffer {
  const body = kind === 'alertmanager' ? alerts(id, now) : payload(id, now, model)
  const head = [
    `POST ${paths[kind]} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers(kind, id, body),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** The payload of the interface specification, "Webhook delivery". */
export function payload(id: string, now: number, model = 'claude'): string {
  return JSON.stringify({
    id,
    type: 'censorship_spike',
    model,
    data: { category: 'political', delta: '+12pp', detected_at: new Date(now).toISOString() },
    methodology,
  })
}

function alerts(id: string, now: number): string {
  return JSON.stringify([
    {
      labels: { alertname: 'censorship_spike', event: id, model: 'claude', category: 'political' },
      annotations: { delta: '+12pp', methodology },
      startsAt: new Date(now).toISOString(),
    },
  ])
}

function headers(kind: Kind, id: string, body: string): string[] {
  if (kind === 'alertmanager') return []
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  if (kind === 'bluepencil') return [`X-Service-Signature: ${signature}`]
  if (kind === 'webhook') return [`X-Service-Signature: sha256=${signature}`]
  return ['X-GitHub-Event: ping', `X-GitHub-Delivery: ${id}`, `X-Hub-Signature-256: sha256=${signature}`]
}
