/**
 * What each room or file of src/ may import beside its own files, types included. A row names rows below it only, so
 * imports run one way; a stage (intake, decide, deliver, people, message) never imports another.
 */
export const mayImport: Record<string, string> = {
  'main.js': 'commands',
  commands: [
    'trial app console people/control record/explain record/export intake/poll intake/subscribe decide/accept decide/digest decide/route deliver people/converse people/readers',
    'message/render record/figures record/ledger record/evidence message/chart config channels message/message.ts message/words store service/client service/sandbox event platform/outbound platform/durations.ts platform/server platform/clock.ts platform/one-at-a-time.ts platform/terminal.ts platform/text.ts platform/unknown.ts',
  ].join(' '),
  // What a configuration would do, by the stages themselves; nothing is sent.
  trial:
    'pipeline.ts intake/poll decide/digest people/converse message/render config channels message/message.ts message/words store service/client event platform/durations.ts platform/clock.ts',
  app: 'console people/control record/explain pipeline.ts operators intake/receive intake/poll intake/subscribe decide/accept decide/digest deliver people/converse people/readers message/render record/figures record/ledger record/evidence message/chart config channels message/words store service/client event platform/log.ts platform/durations.ts platform/server platform/clock.ts platform/one-at-a-time.ts platform/text.ts',
  // What people see and do in a browser. It knows no provider and no database; app says what they are.
  console:
    'people/control record/explain record/export operators people/converse message/render record/evidence message/chart config channels message/message.ts message/words store event platform/outbound platform/durations.ts platform/server platform/clock.ts platform/terminal.ts platform/text.ts',
  // What a command or a page asks of a running service.
  'people/control':
    'operators people/converse people/readers record/evidence store event platform/server platform/unknown.ts',
  // What is known of an event, in sentences.
  'record/explain': 'message/render store event platform/text.ts',
  'pipeline.ts':
    'decide/accept decide/digest decide/route deliver message/render channels message/message.ts store event platform/clock.ts',
  // If the store accepts nothing, operators are alerted past the pipeline, by the same stages.
  operators:
    'decide/route deliver message/render channels message/message.ts message/words store event platform/outbound platform/durations.ts platform/clock.ts platform/text.ts',
  'intake/receive': 'config store event platform/clock.ts',
  'intake/poll':
    'intake/detect store service/client event platform/durations.ts platform/clock.ts platform/text.ts',
  'intake/subscribe': 'config service/client platform/durations.ts platform/clock.ts',
  'decide/accept': 'store event platform/durations.ts',
  'decide/digest': 'store event platform/durations.ts platform/clock.ts',
  'decide/route': 'channels message/message.ts event platform/durations.ts platform/clock.ts',
  deliver: 'channels message/message.ts message/words store event platform/durations.ts platform/clock.ts',
  // What people ask, in a chat or a shell: it knows no provider.
  'people/converse': 'channels message/words store event platform/durations.ts platform/clock.ts',
  'people/readers': 'channels message/words store event platform/durations.ts',
  'record/export': 'message/render store event platform/durations.ts platform/text.ts',
  'message/render': 'message/message.ts message/words event platform/text.ts',
  'record/figures': 'message/chart store service/client platform/durations.ts platform/clock.ts',
  'record/ledger': 'store event platform/durations.ts platform/clock.ts platform/text.ts',
  'record/evidence': 'config store event platform/text.ts',
  // Series to picture: one renderer for chat, mail and console.
  'message/chart': 'message/words platform/durations.ts platform/text.ts',
  config: 'channels event platform/outbound platform/text.ts platform/unknown.ts',
  channels:
    'message/message.ts message/words event platform/outbound platform/durations.ts platform/clock.ts platform/terminal.ts platform/text.ts platform/unknown.ts',
  'message/message.ts': 'message/words event',
  // A format adds words of its own to what was rendered.
  'message/words': '',
  'intake/detect': 'platform/durations.ts platform/text.ts',
  store: 'event platform/durations.ts platform/clock.ts platform/one-at-a-time.ts platform/unknown.ts',
  'service/client':
    'platform/outbound platform/durations.ts platform/clock.ts platform/one-at-a-time.ts platform/text.ts',
  // Written from the specification alone, so that a mistake of ours is not shared by what tests it.
  'service/sandbox': 'platform/durations.ts platform/clock.ts',
  event: '',
  'platform/log.ts': 'platform/clock.ts platform/text.ts',
  'platform/outbound': 'platform/durations.ts',
  'platform/durations.ts': '',
  'platform/server': 'platform/clock.ts',
  'platform/clock.ts': '',
  'platform/one-at-a-time.ts': '',
  'platform/terminal.ts': '',
  'platform/text.ts': '',
  'platform/unknown.ts': '',
}
