import type { Role } from '../config/values.ts'
import { may, type Visitor } from './access/who.ts'

interface MenuPage {
  path: string
  name: string
  role: Role
}

/** What stands in the menu, for a visitor on a page. */
export interface MenuEntry extends Pick<MenuPage, 'path' | 'name'> {
  /** `page`: it is this very page. `true`: the page stands below it. */
  current: 'page' | 'true' | undefined
  /** Shown while the visitor is in this section. */
  pages: readonly MenuEntry[]
}

/** The sections, and the pages of each. A section leads to the first of its pages that the visitor may see. */
const sections: readonly { name: string; pages: readonly [MenuPage, ...MenuPage[]] }[] = [
  { name: 'Overview', pages: [{ path: '/', name: 'Overview', role: 'reader' }] },
  {
    name: 'Alerts',
    pages: [
      { path: '/alerts', name: 'All alerts', role: 'reader' },
      { path: '/feeds', name: 'Feeds', role: 'reader' },
      { path: '/figures', name: 'Data', role: 'reader' },
    ],
  },
  { name: 'Models', pages: [{ path: '/models', name: 'Models', role: 'reader' }] },
  {
    name: 'Channels',
    pages: [
      { path: '/channels', name: 'All channels', role: 'reader' },
      { path: '/silences', name: 'Silences', role: 'reader' },
      { path: '/failed', name: 'Failed', role: 'reader' },
    ],
  },
  {
    name: 'Settings',
    pages: [
      { path: '/settings', name: 'All settings', role: 'reader' },
      { path: '/configuration', name: 'Configuration', role: 'admin' },
      { path: '/tokens', name: 'Tokens', role: 'admin' },
      { path: '/log', name: 'Audit log', role: 'admin' },
    ],
  },
]

/** Pages that are not in the menu, by the page that they belong to. */
const elsewhere: Record<string, string> = { '/dictionary': '/figures' }

/** The menu as a visitor has it on the page at `path`. Pure. */
export function menuOf(visitor: Pick<Visitor, 'role'>, path: string): MenuEntry[] {
  const place = elsewhere[path] ?? path
  return sections.flatMap(({ name, pages }) => {
    const open = pages.filter(({ role }) => may(visitor, role))
    const [first] = open
    if (first === undefined) return []
    const entries = open.map((page) => ({ ...page, current: currentOf(page.path, place), pages: [] }))
    const isHere = entries.some(({ current }) => current !== undefined)
    const isAlone = entries.length === 1
    const current = isAlone ? entries[0]?.current : isHere ? 'true' : undefined
    return [{ path: first.path, name, current, pages: isHere && !isAlone ? entries : [] }]
  })
}

function currentOf(page: string, path: string): MenuEntry['current'] {
  if (page === path) return 'page'
  return page !== '/' && path.startsWith(`${page}/`) ? 'true' : undefined
}
