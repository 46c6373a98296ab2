import type { Act, MaskedChange } from '../../event/act.ts'
import type { Entry } from '../../event/event.ts'
import { scopeInWords } from '../../message/render/acts.ts'
import { headline } from '../../message/render/headline.ts'
import { statedSize } from '../../message/render/levels.ts'
import { counted, listed, minuteText, plain } from '../../platform/text.ts'

/** One line for a list. */
export function title(entry: Entry): string {
  switch (entry.kind) {
    case 'notice':
      return plain(entry.title)
    case 'act':
      return actTitle(entry)
    case 'digest':
      return `${counted(entry.count, 'alert')} that ${entry.count === 1 ? 'was' : 'were'} held for ${entry.channel}`
    case 'alert': {
      const text = headline(entry, { size: statedSize(entry) })
      return entry.sameAs === null ? text : `${text} (as ${plain(entry.sameAs)})`
    }
  }
}

const deeds: Record<Act['does'], string> = {
  acknowledge: 'acknowledged',
  'set-desk': 'put back to new',
  silence: 'silenced',
  'end-silence': 'ended the silence',
  unsubscribe: 'unsubscribed',
  subscribe: 'subscribed again',
  'send-again': 'sent again',
  test: 'sent a test',
  'change-filters': 'changed the filters of',
  'restore-filters': 'restored the filters of the configuration file for',
  'make-token': 'made',
  'revoke-token': 'revoked',
  'change-config': 'changed',
  'sign-in': 'signed in to the console',
}

function actTitle(act: Act): string {
  const by = plain(act.by.name)
  switch (act.does) {
    case 'silence':
      return `${by} silenced ${scopeInWords(act.scope)} until ${minuteText(act.until)}: ${plain(act.why, 200)}`
    case 'subscribe':
    case 'unsubscribe':
      return `${plain(act.address)} ${deeds[act.does]} (${act.channel})`
    case 'send-again':
      return act.held === undefined
        ? `${by} ${deeds[act.does]} ${plain(act.entry)} (${act.channels.join(', ')})`
        : `${by} released what was held for ${act.channels.join(', ')} (${counted(act.held.length, 'alert')})`
    case 'test':
      return `${by} ${deeds[act.does]} (${act.channel})`
    case 'change-filters':
    case 'restore-filters':
      return `${by} ${deeds[act.does]} ${act.channel}`
    case 'make-token':
    case 'revoke-token':
      if (act.owner !== undefined) return ownFeedTitle(act, act.owner)
      return `${by} ${deeds[act.does]} the token “${plain(act.name)}” for ${act.use === 'api' ? 'the API' : 'feeds'}`
    case 'set-desk':
      return deskTitle(act)
    case 'change-config':
      return `${by} ${listed(act.changes.map(changed), 'and')}`
    case 'sign-in':
      return `${by} ${deeds[act.does]}`
    case 'acknowledge':
    case 'end-silence':
      return `${by} ${deeds[act.does]} ${plain(act.about)}`
  }
}

function deskTitle({ by, about, state, story = '' }: Extract<Act, { does: 'set-desk' }>): string {
  const [who, what] = [plain(by.name), plain(about)]
  if (state === 'checking') return `${who} is checking ${what}`
  if (state === 'published') return `${who} published a story about ${what}: ${plain(story, 500)}`
  return `${who} put ${what} back to new`
}

function changed({ of, ...change }: MaskedChange): string {
  const verb = 'from' in change ? ('to' in change ? 'changed' : 'removed') : 'added'
  return `${verb} ${plain(of)}`
}

function ownFeedTitle(
  { by, does, name }: Extract<Act, { does: 'make-token' | 'revoke-token' }>,
  owner: string,
) {
  const of = by.name === owner ? '' : ` of ${plain(owner)}`
  return `${plain(by.name)} ${does === 'make-token' ? 'made' : 'withdrew'} a feed address${of} for “${plain(name)}”`
}
