/** The buttons of an alert. What a button is called to Slack stays: messages that were sent before have it, too. */
export const slackActions = {
  acknowledge: { id: 'bluepencil_acknowledge', label: 'toAcknowledge' },
  silence: { id: 'bluepencil_silence', label: 'toSilence' },
  history: { id: 'bluepencil_history', label: 'toHistory' },
} as const

/** A click on a link is reported to the app, too. */
export const linkAction = 'bluepencil_link_'

export const silenceView = 'bluepencil_silence'
export const command = '/bluepencil'

/**
 * What the bot's token may do, and what each is for (https://docs.slack.dev/reference/scopes). The manifest, `check` and
 * docs/slack.md have them from here.
 */
export const botScopes = {
  'chat:write': 'posts alerts and edits them',
  'files:write': 'adds a chart to an alert’s thread, if `pictures` is on',
  'channels:read': 'finds a public channel by its name',
  'groups:read': 'finds a private channel by its name',
  'channels:history': 'finds out after a crash whether an alert was posted already, in public channels',
  'groups:history': 'the same in private channels',
  commands: 'offers `/bluepencil`',
} as const
export type BotScope = keyof typeof botScopes

/** The page that makes an app of a manifest. */
export const newAppAddress = 'https://api.slack.com/apps?new_app=1'

/**
 * The app as Slack accepts it (https://docs.slack.dev/reference/app-manifest). `postTo`: the public address of `POST /slack`;
 * without it, Slack says what people do through Socket Mode.
 */
export function appManifest(name: string, postTo?: string) {
  return {
    display_information: {
      name,
      description: 'Alerts the desk when an AI chat model changes what it refuses to say',
      background_color: '#1f4e9c',
    },
    features: {
      bot_user: { display_name: name, always_online: false },
      slash_commands: [
        {
          command,
          description: 'Status, latest alerts, figures, silences',
          usage_hint: 'help',
          should_escape: false,
          ...(postTo !== undefined && { url: postTo }),
        },
      ],
    },
    oauth_config: { scopes: { bot: Object.keys(botScopes) } },
    settings: {
      interactivity: { is_enabled: true, ...(postTo !== undefined && { request_url: postTo }) },
      org_deploy_enabled: false,
      socket_mode_enabled: postTo === undefined,
      token_rotation_enabled: false,
    },
  }
}
