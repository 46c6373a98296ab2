/** What a newsroom would write, with the terminal in the place of accounts. Addresses are of this machine. */
export function configurationFor({
  service,
  webhooks,
  store,
}: {
  service: string
  webhooks: string
  store: string
}): string {
  return `# The demo's own configuration. It is removed with what is stored when the demo ends.
monitor:
  baseUrl: ${service}
  apiKey: sandbox-pro
  tier: pro
webhook:
  publicUrl: ${webhooks}
server:
  host: 127.0.0.1
  port: 0
console:
  listen: { port: 0 }
store: ${JSON.stringify(`file:${store}`)}
log: error
operators: [newsroom]
channels:
  - name: newsroom
    type: console
    as: slack
  - name: politics-discord
    type: console
    as: discord
    categories: [political]
  - name: big-changes-mail
    type: console
    as: email
    minDelta: 8
`
}
