/**
 * What each folder or file of src/ may import beside its own files, types included. A row names rows below it only, so
 * that imports run one way; a stage (receive, poll, converse, accept, digest, route, render, deliver) never imports another.
 */
export const mayImport: Record<string, string> = {
  'main.js': 'commands',
  commands:
    'trial app figures console explain evidence route accept converse readers deliver digest poll render chart subscribe ledger control channels client config store server sandbox outbound words event text clock.ts durations.ts',
  // What a configuration would do, by the stages themselves; nothing is sent.
  trial:
    'app pipeline.ts pipeline-parts.ts poll converse digest channels client config store render words event clock.ts durations.ts',
  app: 'figures console explain evidence pipeline.ts pipeline-parts.ts operators accept converse readers render words chart deliver digest poll receive route subscribe ledger control channels client config store server telemetry event text clock.ts durations.ts',
  // What people see and do in a browser. It knows no channel, provider or store; app says what they are.
  console:
    'explain evidence render chart converse control channels config store server outbound words event text clock.ts durations.ts',

  // What is known of an event, in sentences.
  explain: 'control render store event text',

  'pipeline.ts': 'pipeline-parts.ts rendering.ts accept route deliver event clock.ts',
  'rendering.ts': 'pipeline-parts.ts accept route render deliver',
  'pipeline-parts.ts': 'accept route deliver channels store event clock.ts',
  // Where the store accepts nothing, operators are alerted past the pipeline, by the same stages.
  operators: 'route render deliver channels store outbound words event text clock.ts durations.ts',

  receive: 'config store event clock.ts',
  poll: 'detect client store event text clock.ts durations.ts',
  accept: 'store event durations.ts',
  digest: 'store event clock.ts durations.ts',
  route: 'channels event clock.ts durations.ts',
  render: 'channels words event text',
  deliver: 'channels store words event clock.ts durations.ts',

  // The published figures that are known: kept from every answer, read before the service is asked.
  figures: 'client store clock.ts durations.ts',
  // Series to picture; one renderer for chat, mail and console.
  chart: 'client words text durations.ts',
  subscribe: 'client config clock.ts durations.ts',
  ledger: 'store event text clock.ts durations.ts',
  control: 'converse evidence readers server store event',
  // What people ask, in a chat or a shell: it knows no provider.
  converse: 'channels store words event clock.ts durations.ts',
  // Who wants no more mail.
  readers: 'channels store words event durations.ts',
  // The hash chain over what came, and what proves an alert to others.
  evidence: 'config store event',
  server: 'telemetry store clock.ts',
  telemetry: 'store event text clock.ts',
  config: 'channels client event text',
  channels: 'outbound words event text clock.ts durations.ts',
  client: 'outbound text clock.ts durations.ts',
  store: 'event clock.ts durations.ts',
  // Written from the specification alone, so that a mistake of ours is not shared by what tests it.
  sandbox: 'clock.ts durations.ts',

  // A format adds words of its own to what was rendered.
  words: 'event',

  detect: 'text durations.ts',
  outbound: 'durations.ts',
  event: '',
  text: '',
  'clock.ts': '',
  'durations.ts': '',
}
