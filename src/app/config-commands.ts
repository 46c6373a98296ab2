import { configSections } from '../config/browser-config.ts'
import { fileChannels, fileSection } from '../config/compose.ts'
import type { ConfigEditing } from '../console/parts.ts'
import type { Doer } from '../people/converse/acts.ts'
import type { ConfigCommands } from '../people/converse/settings.ts'
import { nameOf } from './config-editing.ts'
import type { SharedServices } from './services.ts'

/** Changes the configuration made in the browser for commands. Anybody who may open the store may use them; nobody has to sign in. */
export function configCommands(
  { browser }: Pick<SharedServices, 'browser'>,
  editing: Pick<ConfigEditing, 'changeAll' | 'section' | 'channel'>,
): ConfigCommands {
  const changeAll = (doer: Doer, changes: Parameters<ConfigEditing['changeAll']>[1]) =>
    editing.changeAll(doer, changes, browser.current().revision)

  return {
    async add(doer, file) {
      const sections = configSections.flatMap((section) => {
        const becomes = fileSection(file, section)
        return becomes === undefined ? [] : [{ part: { section }, becomes }]
      })
      const there = sections.filter(({ part }) => editing.section(part.section).from !== 'nowhere')
      if (there.length > 0) {
        const names = there.map(({ part }) => nameOf(part)).join(', ')
        return { result: 'refused', why: `Already set: ${names}. Leave that out, or remove it first.` }
      }
      const channels = fileChannels(file).map((becomes) => ({
        part: { channel: becomes.name, add: true },
        becomes,
      }))
      return await changeAll(doer, [...sections, ...channels])
    },
    clear(doer) {
      const { made } = browser.current()
      const sections = configSections.filter((section) => made[section] !== undefined)
      const channels = (made.channels ?? []).map(({ name }) => ({ channel: name }))
      const parts = [...channels, ...sections.map((section) => ({ section }))]
      return changeAll(
        doer,
        parts.map((part) => ({ part, becomes: undefined })),
      )
    },
    async setPassword(doer, name, password) {
      const { from, value, file = '', line } = editing.section('users')
      const users: unknown[] = Array.isArray(value) ? value : []
      const isNamed = (user: unknown) => Object(user).name === name
      if (!users.some(isNamed))
        return { result: 'refused', why: `Nobody called ${name} signs in with a password.` }
      if (from === 'file') {
        const why = `${name} is in ${file}, line ${line}: put what console-user prints there.`
        return { result: 'refused', why }
      }
      const becomes = users.map((user) => (isNamed(user) ? { ...Object(user), password } : user))
      return await changeAll(doer, [{ part: { section: 'users' }, becomes }])
    },
  }
}
