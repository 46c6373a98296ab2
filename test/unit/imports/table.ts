/**
 * What each folder or file of src/ may import beside its own files, types included. A row names rows below it only, so
 * that imports run one way; a stage (receive, poll, accept, route, render, deliver) never imports another.
 */
export const mayImport: Record<string, string> = {
  'main.js': 'commands',
  commands:
    'app accept deliver poll render subscribe ledger control channels client config store server sandbox event text clock.ts',
  app: 'pipeline.ts operators accept deliver poll receive subscribe ledger control channels client config store server telemetry event clock.ts',

  'pipeline.ts': 'accept route render deliver channels store event clock.ts',
  // Where the store accepts nothing, operators are alerted past the pipeline, by the same stages.
  operators: 'route render deliver channels store event clock.ts',

  receive: 'config store event clock.ts',
  poll: 'detect client store event clock.ts',
  accept: 'store event',
  route: 'channels event',
  render: 'channels event text',
  deliver: 'channels store event clock.ts',

  subscribe: 'client config clock.ts',
  ledger: 'store event clock.ts',
  control: 'server store',
  server: 'telemetry store clock.ts',
  telemetry: 'store event text clock.ts',
  config: 'channels client event text',
  channels: 'outbound text',
  client: 'outbound clock.ts',
  store: 'event',
  // Written from the specification alone, so that a mistake of ours is not shared by what tests it.
  sandbox: 'clock.ts',

  detect: '',
  outbound: '',
  event: '',
  text: '',
  'clock.ts': '',
}
