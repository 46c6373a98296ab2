import { describe, expect, test } from 'vitest'
import { openSlack } from '../../../../src/channels/slack/channel.ts'
import { SlackAccount, SlackSettings } from '../../../../src/channels/slack/config.ts'
import { formatSlack } from '../../../../src/channels/slack/format.ts'
import { previewSlack } from '../../../../src/channels/slack/preview.ts'
import { startSlack } from '../../../support/fakes/slack-proxy.ts'
import { alert, attempt, nasty } from './messages.ts'

/** All that rings, wherever it stands in the payload. */
const ringing = /<(?:!(?:here|channel|everyone|subteam\^\w+)|@\w+)>/g

describe('whom a message rings', () => {
  test.each([
    [['here'], '<!here>'],
    [['channel'], '<!channel>'],
    [['U0123456'], '<@U0123456>'],
    [['W0123456'], '<@W0123456>'],
    [['S0123456'], '<!subteam^S0123456>'],
    [['here', 'U0123456', 'S0123456'], '<!here> <@U0123456> <!subteam^S0123456>'],
  ])('%j: exactly those', (mentions, markup) => {
    const plain = formatSlack(alert())
    const [kicker, headline, ...others] = plain.blocks
    const block = { type: 'section', text: { type: 'mrkdwn', text: markup, verbatim: true } }
    expect(formatSlack(alert({ mentions }))).toEqual({
      ...plain,
      text: `${markup} ${plain.text}`,
      blocks: [kicker, headline, block, ...others],
    })
  })

  test('is nobody whom a text names', () => {
    const all = nasty.join(' ')
    const message = {
      headline: all,
      text: [all],
      caveats: [all],
      source: all,
      facts: [{ label: all, value: all }],
    }
    const { text, blocks } = formatSlack(alert({ ...message, mentions: ['U0123456'] }))
    expect(text.match(ringing)).toEqual(['<@U0123456>'])
    const markup = JSON.stringify(blocks).match(/\{"type":"mrkdwn"[^}]*\}/g)
    expect(markup).toEqual(['{"type":"mrkdwn","text":"<@U0123456>","verbatim":true}'])
  })

  test('is readable in a preview', () => {
    const drawn = previewSlack(formatSlack(alert({ mentions: ['here', 'S0123456'] })), {
      width: 80,
      colour: false,
    })
    expect(drawn).toContain('@here @S0123456')
    expect(drawn).not.toContain('subteam')
  })
})

test('a bot and a webhook send it, and an edit of it rings nobody', async () => {
  const slack = await startSlack()
  const account = SlackAccount.parse({ token: slack.token, apiUrl: slack.apiUrl, intervalMs: 0 })
  const [bot, hook] = await openSlack(account, [
    SlackSettings.parse({ name: 'bot', type: 'slack', to: '#ai-desk' }),
    SlackSettings.parse({ name: 'hook', type: 'slack', webhookUrl: slack.webhookUrl }),
  ])
  const message = alert({ mentions: ['here'] })
  const sent = await bot?.send(message, attempt())
  await hook?.send(message, attempt())
  if (sent?.result !== 'sent') throw new Error('not sent')
  await bot?.edit?.(message, sent.receipt, attempt().signal)
  const rung = slack.requests.map(({ method, raw }) => [method, raw.includes('here')])
  expect(rung).toEqual([
    ['chat.postMessage', true],
    ['webhook', true],
    ['chat.update', false],
  ])
  await slack.close()
})

test.each(['@here', 'everyone', 'ana', '#ai-desk', 'C0123456', 'U1', '<!here>', ''])(
  '%j is nobody to mention',
  (who) => {
    const channel = { name: 'bot', type: 'slack', to: '#ai-desk', mentions: [{ who }] }
    expect(SlackSettings.safeParse(channel).error?.issues).toMatchObject([{ path: ['mentions', 0, 'who'] }])
  },
)

test.each<[object, string]>([
  [{ minDelta: -1 }, 'minDelta'],
  [{ notices: false }, 'notices'],
  [{ notices: true, minDelta: 5 }, 'notices'],
  [{ model: 'claude' }, ''],
])('%j is no condition', (when, key) => {
  const mentions = [{ who: 'here', when }]
  const { error } = SlackSettings.safeParse({ name: 'bot', type: 'slack', to: '#ai-desk', mentions })
  const path = ['mentions', 0, 'when', ...(key === '' ? [] : [key])]
  expect(error?.issues).toMatchObject([{ path }])
})
