import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { type Edit, inPlantedCopy } from '../support/planted-copy.ts'

// Plants one fault after another in a copy of the program, and runs the test of `npm test` that is to see it.
//
//     npm run planted                    all of them; exit 1 if one is not seen
//     npm run planted -- --only Slack    those whose name has it

interface Fault extends Edit {
  name: string
  /** Below test/. */
  test: string
  /** The beginning of what the test is called, or its row. */
  title: string
}

const faults: readonly Fault[] = [
  {
    name: 'a signature is not checked',
    file: 'src/intake/receive/signature.ts',
    text: 'timingSafeEqual(digest, theirs)',
    planted: 'digest.length === theirs.length',
    test: 'unit/intake/receive/webhook.test.ts',
    title: 'is answered 401 for a change of any byte of its body or signature',
  },
  {
    name: 'the filter of categories is ignored',
    file: 'src/decide/route/filters.ts',
    text: "    outside('categories', channel.categories, event.category, 'category', event) ??\n",
    planted: '',
    test: 'unit/decide/route/route.test.ts',
    title: '{"categories":["safety"]} refuses',
  },
  {
    name: 'minDelta is compared with the sign',
    file: 'src/decide/route/filters.ts',
    text: 'Math.abs(shownPoints(event.delta))',
    planted: 'shownPoints(event.delta)',
    test: 'unit/decide/route/route.test.ts',
    title: '{"minDelta":12} passes {"delta":-12}',
  },
  {
    name: 'a rise is taken for a fall',
    file: 'src/decide/route/filters.ts',
    text: "event.delta > 0 ? 'rise' : event.delta < 0 ? 'fall'",
    planted: "event.delta < 0 ? 'rise' : event.delta > 0 ? 'fall'",
    test: 'unit/decide/route/route.test.ts',
    title: '{"direction":"fall"} refuses',
  },
  {
    name: 'quiet hours last a moment too long',
    file: 'src/decide/route/hours.ts',
    text: 'begins <= at && at < ends',
    planted: 'begins <= at && at <= ends',
    test: 'unit/decide/route/hours.test.ts',
    title: 'at 2026-11-21T06:00:00Z hold until undefined',
  },
  {
    name: 'the time zone is dropped',
    file: 'src/message/words/words.ts',
    text: 'time(timeZone).format(new Date(iso))',
    planted: "time('UTC').format(new Date(iso))",
    test: 'unit/message/words/words.test.ts',
    title: 'writes numbers, times and lists as its readers do',
  },
  {
    name: 'an escape is forgotten in Slack',
    file: 'src/channels/slack/format.ts',
    text: "return escapeControl(cut(lines.filter(Boolean).join('\\n') || words.say('alert'), room.notification))",
    planted: "return cut(lines.filter(Boolean).join('\\n') || words.say('alert'), room.notification)",
    test: 'unit/channels/slack/format.test.ts',
    title: 'says nothing but its text when the service writes markup, mentions and control characters',
  },
  {
    name: 'an escape is forgotten in a mail',
    file: 'src/channels/email/layout.html.mustache',
    text: 'font-weight:bold">{{headline}}</h1>',
    planted: 'font-weight:bold">{{{headline}}}</h1>',
    test: 'system/security/chain.test.ts',
    title: 'no event can add a header, a recipient, markup or a link to a mail, nor make it too long',
  },
  {
    name: 'Retry-After is ignored',
    file: 'src/platform/outbound/retry-after.ts',
    text: "headers.get('retry-after')",
    planted: "headers.get('x-retry-after')",
    test: 'unit/platform/outbound/retry-after.test.ts',
    title: 'Retry-After "30" asks for 30000 ms',
  },
  {
    name: 'an event that is repeated is accepted again',
    file: 'src/store/sql/gather.ts',
    text: "if (known === undefined) return 'new'",
    planted: "return 'new'",
    test: 'unit/decide/accept/accept.test.ts',
    title: 'a repeat of an event that is still being stored is a duplicate',
  },
  {
    name: 'a change that is reported two ways is sent twice',
    file: 'src/decide/accept/correlate.ts',
    text: 'if (first.delta > 0 !== second.delta > 0) return false',
    planted: 'return false',
    test: 'unit/decide/accept/accept.test.ts',
    title: 'two that come at the same moment are sent once',
  },
  {
    name: 'a change that goes further is taken for the one before',
    file: 'src/decide/accept/correlate.ts',
    text: 'return step > Math.max(leastFurther',
    planted: 'return step < Math.max(leastFurther',
    test: 'unit/decide/accept/larger.test.ts',
    title: 'a larger fall that follows a fall is sent as what it is',
  },
  {
    name: 'what another app wrote is taken for ours in Slack',
    file: 'src/channels/slack/conversations.ts',
    text: 'isBy(author, message) && markOf(message) === mark',
    planted: 'markOf(message) === mark',
    test: 'system/channels/slack/bot.test.ts',
    title: 'a message of another app with our event in its metadata is not ours',
  },
  {
    name: 'a token is written to the log',
    file: 'src/platform/log.ts',
    text: "secrets.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text)",
    planted: 'text',
    test: 'unit/platform/log.test.ts',
    title: 'never holds the secret',
  },
]

const Report = z.object({
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) }),
  ),
})

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const chosen = faults.filter(({ name }) => name.includes(values.only))
const unseen = chosen.filter((fault) => !reportSeen(fault))
if (unseen.length > 0 || chosen.length === 0) process.exitCode = 1

/** Prints and answers whether the test that is named fails, and did not fail before. */
function reportSeen(fault: Fault): boolean {
  const where = `test/${fault.test} > ${fault.title}`
  const before = inPlantedCopy([], (folder) => runTest(folder, fault))
  const planted = inPlantedCopy([fault], (folder) => runTest(folder, fault))
  const isSeen = before.length > 0 && !before.includes('failed') && planted.includes('failed')
  console.log(`${isSeen ? 'red     ' : 'NOT SEEN'}  ${fault.name}  ${where}`)
  return isSeen
}

/** How the tests of that title ended. */
function runTest(folder: string, { test, title }: Fault): string[] {
  const report = join(folder, 'report.json')
  const named = ['--testNamePattern', RegExp.escape(title), `test/${test}`]
  const args = ['run', '--project', 'day', '--reporter=json', `--outputFile=${report}`, ...named]
  spawnSync('node_modules/.bin/vitest', args, { cwd: folder })
  return Report.parse(JSON.parse(readFileSync(report, 'utf8')))
    .testResults.flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName }) => fullName.includes(title))
    .map(({ status }) => status)
}
