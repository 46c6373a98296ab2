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
