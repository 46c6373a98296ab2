/** One mend of the program, and what takes it out again: texts in a file, and what stood there in its place. */
export interface Mend {
  name: string
  edits: readonly { file: string; mended: string; before: string }[]
}

/** Each of these was a defect once. Without the mend, the simulation is to break a rule. */
export const mends: readonly Mend[] = [
  {
    name: 'a slow answer of Slack or Discord is waited for',
    edits: ['slack', 'discord'].map((kind) => ({
      file: `src/channels/${kind}/channel.ts`,
      mended: 'const timeoutMs = 130_000',
      before: 'const timeoutMs = 15_000',
    })),
  },
  {
    name: 'a slow answer to a mail is waited for',
    edits: [
      {
        file: 'src/channels/email/post.ts',
        mended: '  answer: 10 * minuteMs,',
        before: '  answer: minuteMs / 2,',
      },
    ],
  },
  {
    name: 'what nobody can be asked about is sent four times at most',
    edits: [
      {
        file: 'src/deliver/policy.ts',
        mended:
          'if (cannotVerifyDelivery && result.unanswered === true) return repeat(tried, result, policy)',
        before: '',
      },
    ],
  },
  {
    name: 'an earlier message is searched for by the time of Slack, not by ours',
    edits: [
      {
        file: 'src/channels/slack/conversations.ts',
        mended: '...(after !== undefined && { oldest: after }),',
        before: 'oldest: String((Date.now() - 120_000) / 1_000),',
      },
    ],
  },
  {
    name: 'only what our own bot wrote is ours',
    edits: [
      {
        file: 'src/channels/slack/conversations.ts',
        mended: 'isBy(author, message) && markOf(message) === mark',
        before: 'markOf(message) === mark',
      },
    ],
  },
  {
    name: 'only what was in flight is uncertain after a start',
    edits: [
      {
        file: 'src/store/sql/leases.ts',
        mended: 'const uncertain = interrupted !== undefined || outcome.uncertain === true',
        before: 'const uncertain = true',
      },
    ],
  },
  {
    name: 'a change that goes further is a change of its own',
    edits: [
      {
        file: 'src/decide/accept/correlate.ts',
        mended:
          '  if (!hasSize(first) || !hasSize(second)) return false\n  if (first.delta > 0 !== second.delta > 0 || cat',
        before:
          '  return false\n  if (!hasSize(first) || !hasSize(second)) return false\n  if (first.delta > 0 !== second.delta > 0 || cat',
      },
    ],
  },
  {
    name: 'other content under a known id is a correction',
    edits: [
      {
        file: 'src/decide/accept/accept.ts',
        mended: "  if (verdict !== 'changed') return { verdict, ...accepted }",
        before:
          "  if (verdict === 'changed') return { verdict: 'duplicate', ...accepted }\n  return { verdict, ...accepted }",
      },
    ],
  },
  {
    name: 'operators are sent what was too old to be sent',
    edits: [
      {
        file: 'src/operators/alarms.ts',
        mended: '      notifyOfOld(event, Object.fromEntries(old))',
        before: '',
      },
    ],
  },
  {
    name: 'a clock that leapt drops no event',
    edits: [
      {
        file: 'src/store/trusted-time.ts',
        mended: '  const step = now - seen.last\n',
        before: '  if (now > 0) return believed\n  const step = now - seen.last\n',
      },
    ],
  },
  {
    name: 'an id of our own form from outside is kept under another',
    edits: [
      {
        file: 'src/event/ids.ts',
        mended: '  return ours.test(id)',
        before: '  return false && ours.test(id)',
      },
    ],
  },
  {
    name: 'a row whose checksum is wrong is not read',
    edits: [
      {
        file: 'src/store/sqlite/database.ts',
        mended: '        return damaged === null\n',
        before: '        return true\n',
      },
    ],
  },
  {
    name: 'a delivery that comes during a reload is known to polling',
    edits: [
      { file: 'src/app/running-app.ts', mended: '    deliveryLog.add(event, clock.now())\n', before: '' },
    ],
  },
  {
    name: 'a configuration sends when the one before has ended',
    edits: [
      {
        file: 'src/app/running-app.ts',
        mended: '      await end(before, swapGraceMs)\n',
        before: '      void end(before, swapGraceMs)\n',
      },
    ],
  },
  {
    name: 'a try that has lost its lease writes nothing down',
    edits: [
      {
        file: 'src/store/sql/gather.ts',
        mended: 'if (lease !== undefined && before?.lease !== lease) return',
        before: 'if (lease === null) return',
      },
    ],
  },
  {
    name: 'of each incident one report goes out at a time',
    edits: [
      {
        file: 'src/operators/incidents.ts',
        mended: 'if (incident === undefined || reporting !== undefined) return',
        before: 'if (incident === undefined) return',
      },
    ],
  },
  {
    name: 'what is corrected says so where it stands',
    edits: [
      {
        file: 'src/pipeline.ts',
        mended: '      if (!isStopped && isAboutOthers(entry)) sending?.edits.compare(entry.id)\n',
        before: '',
      },
    ],
  },
  {
    name: 'an edit that was pending when a process ended is made by the next process',
    edits: [
      {
        file: 'src/pipeline.ts',
        mended: '      sending?.edits.compare()\n',
        before: '',
      },
    ],
  },
  {
    name: 'nothing waits but the rest of a flood',
    edits: [
      { file: 'src/decide/accept/flood.ts', mended: 'const mostAlone = 10', before: 'const mostAlone = 4' },
    ],
  },
  {
    name: 'the rest of a flood waits for ten minutes at most',
    edits: [
      {
        file: 'src/decide/accept/flood.ts',
        mended: 'Math.min(end, now + longestFloodMs)',
        before: 'end + longestFloodMs',
      },
    ],
  },
  {
    name: 'a story is of one category and direction',
    edits: [
      {
        file: 'src/decide/accept/stories.ts',
        mended: 'isOfCategory(event, one) && directionOf(one) === directionOf(event)',
        before: 'isOfCategory(event, one)',
      },
    ],
  },
  {
    name: 'an alert that cannot be added to a story is still sent',
    edits: [
      {
        file: 'src/deliver/find-edits.ts',
        mended: 'if (pending === undefined) await releaseStoryMembers(row, channel, parts)',
        before: 'if (pending === undefined) continue',
      },
    ],
  },
  {
    name: 'an answer without end is not read to its end',
    edits: [
      {
        file: 'src/platform/outbound/exchange.ts',
        mended: 'mostBytes) return undefined',
        before: 'mostBytes * 40) return undefined',
      },
    ],
  },
]
