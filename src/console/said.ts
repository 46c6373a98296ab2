const sentences: Readonly<Record<string, string>> = {
  acknowledged: 'Acknowledged. Messages about it are edited where they can be.',
  'acknowledged-before': 'You had acknowledged it already.',
  silenced: 'The silence is in force. When it ends, one message says what it held.',
  'silence-ended': 'The silence has ended. What it held goes out in one message.',
  'silence-ended-before': 'That silence had ended already.',
  'sent-again': 'It is being sent again.',
  'sent-held': 'What was held is being sent.',
  'nothing-held': 'Nothing is held there any more.',
  'sent-before': 'That was done already; nothing was sent a second time.',
  'filters-changed': 'What the channel gets is changed, from now on and everywhere.',
  'filters-file': 'The channel gets what the configuration file says again.',
  'filters-file-before': 'The channel gets what the configuration file says already.',
  'filters-soon': 'It is written down, and will be in force as soon as what is being sent has ended.',
  'token-revoked': 'The token is revoked: nobody reads with it any more.',
  'signed-out': 'You are signed out.',
}

/** What came of what somebody did. An address names it by its code alone, so that nobody can put words into a page. */
export function said(code: string): string {
  return Object.hasOwn(sentences, code) ? (sentences[code] ?? '') : ''
}
