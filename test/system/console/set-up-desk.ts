import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { openUnset, password } from './setup-desk.ts'
import type { Visitor } from './visitor.ts'

/** An installation for pictures: first as nobody has set it up, then with a channel, a service and people. */
export async function openSetUp(closing: (close: () => Promise<void>) => void) {
  const [slack, service] = [await startSlack(), await startSandbox({ port: 0, seed: 7 })]
  closing(() => slack.close())
  closing(() => service.close())
  const desk = await openUnset({}, { closing })

  async function finish(): Promise<Visitor> {
    const ana = desk.visitor()
    const answers: [path: string, fields: Record<string, string>][] = [
      ['/setup/channel?kind=slack-webhook', { slackWebhook: slack.webhookUrl }],
      ['/setup/service', { service: service.url, serviceKey: 'sandbox-pro', tier: 'pro' }],
    ]
    await ana.submit('/setup', '/setup/key', { key: desk.key })
    await ana.submit('/setup', '/setup/account', { name: 'ana', password, again: password })
    for (const [path, fields] of answers) {
      const { status } = await ana.submit(path, path.split('?')[0] ?? path, fields)
      if (status !== 200) throw new Error(`${path} was answered with ${status}`)
    }
    return ana
  }

  return { url: desk.url, finish }
}
