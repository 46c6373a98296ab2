import { setTimeout as realTime } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { accountOf, attempt, spike } from '../../../unit/channels/email/messages.ts'
import { channelTo, start } from '../../../unit/channels/email/setup.ts'

const a = 'a@news.example'

test('a server that answers the final dot slowly is waited for, even beyond the limits of earlier steps', async () => {
  const smtp = await start()
  const channel = await channelTo(accountOf(smtp), [a], { before: 2_000, data: 2_000 })
  // Later than both limits, even if the mail needs a second to arrive.
  smtp.script({ data: { until: realTime(3_500) } })
  expect(await channel.send(spike, attempt())).toMatchObject({ result: 'sent' })
  expect(smtp.messages()).toHaveLength(1)
})
