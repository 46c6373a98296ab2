import { onTestFinished, vi } from 'vitest'
import type { AppEnvironment } from '../../../src/app/environment.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import { type Store, StoreUnavailable } from '../../../src/store/store.ts'
import { configOf, delivery, openApp } from '../../support/app.ts'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { signed } from '../../support/fakes/signed.ts'
import { startSlackPeople } from '../../support/fakes/slack-people.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

interface Changes {
  /** How clicks and commands from Slack arrive. */
  slack?: 'socket' | 'signed' | 'not'
  channels?: object[]
  discordAccount?: object
  gatewayUrl?: string
  more?: object
  environment?: Partial<AppEnvironment>
  /** Why Slack gives no connection. */
  refusal?: Record<string, unknown>
  /** The address of a database that several applications share; else the store is in memory. */
  database?: string
}

/** The application in this process, with two channels of Slack's, and one of Discord's; people are in Slack. */
export async function openChatDesk({
  slack: way = 'socket',
  channels,
  discordAccount,
  gatewayUrl,
  more,
  environment,
  refusal,
  database,
}: Changes = {}) {
  const people = await startSlackPeople()
  people.refuse(refusal)
  const slack = await startSlack({ people })
  const discord = await startFakeDiscord(gatewayUrl === undefined ? {} : { gatewayUrl })
  const backing = createMemoryBacking(systemClock)
  /** What an act waits for before it is stored. */
  const before: { accept?: () => Promise<void> } = {}
  const ofStore = (memory: Store): Store => ({
    ...memory,
    async accept(batch) {
      await before.accept?.()
      return memory.accept(batch)
    },
  })
  const openStore = async () =>
    database === undefined ? ofStore(backing.open()) : openPostgresStore(database)
  const office = openApp({
    openStore,
    serveControl: async () => async () => {},
    ...environment,
  })
  const account = {
    token: slack.token,
    apiUrl: slack.apiUrl,
    intervalMs: 0,
    ...(way === 'socket' && { appToken: people.appToken }),
    ...(way === 'signed' && { signingSecret: people.signingSecret }),
  }
  const config = configOf(
    channels ?? [
      { name: 'desk', type: 'slack', to: '#ai-desk' },
      { name: 'investigations', type: 'slack', to: await slack.idOf('investigations') },
      { name: 'discord', type: 'discord', to: discord.channelId },
    ],
    { slack: account, discord: { token: discord.token, apiUrl: discord.url, ...discordAccount }, ...more },
  )
  const app = await office.start(config)
  const store = database === undefined ? backing.open() : await openPostgresStore(database)
  onTestFinished(async () => {
    await app.stop()
    await store.close()
    await Promise.all([people.close(), slack.close(), discord.close()])
  })
  const origin = `http://127.0.0.1:${app.port}`
  async function deliver(id: string, changes: object = {}): Promise<void> {
    const body = delivery(id, Date.now(), changes)
    const answer = await fetch(`${origin}/webhook`, { method: 'POST', body, headers: signed(body) })
    if (answer.status !== 202) throw new Error(`the delivery was answered ${answer.status}`)
  }
  return {
    app,
    office,
    config,
    people,
    slack,
    discord,
    origin,
    store,
    before,
    /** Resolves when the app is connected to Slack. */
    connected: () => vi.waitUntil(() => people.connections() === 1),
    /** The next that is to be stored is not. */
    failAccept() {
      before.accept = () => {
        delete before.accept
        return Promise.reject(new StoreUnavailable('the disk is full'))
      }
    },
    deliver,
    /** An alert comes in; resolves when it is sent everywhere. */
    async alert(id: string) {
      await deliver(id)
      await vi.waitUntil(async () => {
        const { outcomes = {} } = (await store.find(id)) ?? {}
        return config.channels.every(({ name }) => name === 'ops' || outcomes[name]?.state === 'sent')
      })
    },
    /** The newest message of a channel of Slack's. */
    async message(channel: string): Promise<Record<string, unknown>> {
      const newest = (await slack.read(channel)).at(-1)
      if (newest === undefined) throw new Error(`nothing in ${channel}`)
      return newest
    },
    async acts() {
      const rows = await store.list({ limit: 100 })
      return rows.flatMap(({ entry }) => (entry.kind === 'act' ? [entry] : []))
    },
  }
}
