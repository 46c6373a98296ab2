import { inspect } from 'node:util'
import { expect } from 'vitest'
import {
  type KeeperOptions,
  keepSubscription,
  type SubscriptionKeeper,
} from '../../../../src/intake/subscribe/keeper.ts'
import type { SubscriptionStatus } from '../../../../src/intake/subscribe/service.ts'
import { MonitorClient } from '../../../../src/service/client/client.ts'
import { createManualClock, type ManualClock } from '../../../support/fakes/manual-clock.ts'
import { type ScriptedService, startScriptedService } from '../../service/client/scripted-service.ts'

export const key = 'key-1234567890'
export const publicUrl = 'https://desk.example/webhook'
export const wanted = { events: ['policy_change', 'censorship_spike'], models: ['claude', 'gemini'] }
export const hour = 3_600_000
/** A tenth of a plan of 100 requests an hour. */
export const quiet = hour / 10

/** The record on disk, which outlives each keeper. */
interface Disk {
  value: unknown
  writes: number
  /** Called before a write; one that throws is a disk that fails. */
  beforeWrite: (value: unknown) => void | Promise<void>
}

export interface Desk {
  service: ScriptedService
  clock: ManualClock
  disk: Disk
  statuses: SubscriptionStatus[]
  errors: Error[]
  /** A process: what was kept in memory before is gone. */
  keeper(changes?: Partial<KeeperOptions>): SubscriptionKeeper
  /** Stops every keeper and searches all log lines and notices for secrets. */
  close(): Promise<void>
}

export async function openDesk(): Promise<Desk> {
  const service = await startScriptedService()
  const keepers: SubscriptionKeeper[] = []
  const desk: Desk = {
    service,
    clock: createManualClock(Date.parse('2026-03-01T12:00:00Z')),
    disk: { value: undefined, writes: 0, beforeWrite: () => undefined },
    statuses: [],
    errors: [],
    keeper(changes = {}) {
      const { disk } = desk
      const keeper = keepSubscription({
        client: new MonitorClient({
          baseUrl: service.baseUrl,
          apiKey: key,
          timeoutMs: 2_000,
          tries: 1,
          clock: desk.clock,
        }),
        publicUrl,
        wanted,
        configuredSecrets: [],
        tier: 100,
        state: {
          read: async () => structuredClone(disk.value),
          async change(change) {
            const value = change(structuredClone(disk.value))
            if (value === undefined) return
            await disk.beforeWrite(value)
            disk.value = JSON.parse(JSON.stringify(value))
            disk.writes += 1
          },
        },
        clock: desk.clock,
        onStatus: (status) => desk.statuses.push(status),
        onError: (error) => desk.errors.push(error),
        ...changes,
      })
      keepers.push(keeper)
      return keeper
    },
    async close() {
      await Promise.all(keepers.map((keeper) => keeper.stop()))
      await service.close()
      const told = inspect([desk.statuses, desk.errors], { depth: 10 })
      expect(told).not.toContain(key)
      expect(told).not.toMatch(/whsec_\w/)
    },
  }
  return desk
}

/** The ids of the subscriptions that the service has now. */
export function existing({ service }: Desk): string[] {
  return [...service.subscriptions.keys()]
}

/** The secret that deliveries of a subscription are signed with. */
export function secretOf({ service }: Desk, id: string): string {
  const secret = service.secretOf(id)
  if (secret === undefined) throw new Error(`${id} was never made`)
  return secret
}
