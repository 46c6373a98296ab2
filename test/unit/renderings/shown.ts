/** A picture of docs/renderings, and what stands above it on the page. */
interface Shown {
  name: string
  /** The example that it shows. */
  of: string
  /** In Slack and Discord beside each other, or in a mail reader. */
  as: 'chats' | 'mail' | 'dark mail'
  caption: string
}

export const pictures: readonly Shown[] = [
  { name: 'alert.png', of: 'rise', as: 'chats', caption: 'An alert in Slack and in Discord' },
  { name: 'alert-mail.png', of: 'rise', as: 'mail', caption: 'The same as a mail' },
  {
    name: 'alert-mail-dark.png',
    of: 'rise',
    as: 'dark mail',
    caption: 'The mail of a reader who has chosen the dark',
  },
  { name: 'story.png', of: 'story', as: 'chats', caption: 'A story of four models, after its last edit' },
  { name: 'alert-de.png', of: 'rise-de', as: 'chats', caption: 'The same on channels that speak German' },
  { name: 'silenced.png', of: 'silenced', as: 'chats', caption: 'Acknowledged, and then silenced' },
  {
    name: 'silence-report.png',
    of: 'silence-report',
    as: 'chats',
    caption: 'What the silence held, when it ends',
  },
  { name: 'digest.png', of: 'digest', as: 'chats', caption: 'A digest after the quiet hours' },
  { name: 'digest-mail.png', of: 'digest', as: 'mail', caption: 'The digest as a mail' },
  { name: 'correction.png', of: 'correction', as: 'chats', caption: 'A correction' },
  { name: 'correction-mail.png', of: 'correction', as: 'mail', caption: 'The correction as a mail' },
  {
    name: 'corrected.png',
    of: 'corrected',
    as: 'chats',
    caption: 'What it corrects, edited where it stands',
  },
  {
    name: 'not-as-documented.png',
    of: 'not-as-documented',
    as: 'chats',
    caption: 'An event that is not as documented: shown as far as it can be read, with a note to editors',
  },
]
