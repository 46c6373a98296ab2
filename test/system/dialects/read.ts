import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { type MonitorClient, NotFound } from '../../../src/service/client/client.ts'
import { inferUnit } from '../../../src/service/client/readers/rates.ts'
import type { SandboxDataset } from '../../../src/service/sandbox/datasets.ts'
import { allOf, readFigures } from './figures.ts'
import { fails, type Scene } from './scene.ts'
import { filesOf, truthOf } from './truth.ts'

/** A long file and a short one, of either format. */
const downloaded = ['daily-rates-csv', 'changes-json']

/** All that the service publishes is read as it is in its world. */
export async function readEverything(scene: Scene): Promise<void> {
  const { dialect, sandbox, world, clientOf } = scene
  const files = filesOf(world, dialect)
  const client = clientOf('free')
  assert.deepEqual(await readFigures(client, dialect.rates), truthOf(world, files))

  // The client needs another token now, perhaps with a refresh token.
  await fetch(`${sandbox.origin}/_sandbox/tokens`, { method: 'DELETE' })
  const { points } = await client.history('claude', { period: '90d', category: 'all' })
  const rates = points.flatMap((point) => Object.values(point.rates).filter((rate) => rate !== null))
  assert.equal(inferUnit(rates), dialect.rates)

  for (const file of files.filter(({ id }) => downloaded.includes(id))) await download(client, file, scene)
  await readAlerts(client, scene)
}

/** The connection breaks in the middle of each file; with ranges, only the rest of it comes then. */
async function download(
  client: MonitorClient,
  { id, content }: SandboxDataset,
  { cutting, dialect }: Scene,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bluepencil-walk-'))
  try {
    const before = cutting.files.length
    cutting.cutNext()
    const { bytes } = await client.download(id, { to: join(folder, id) })
    assert.equal(bytes, content.length)
    assert.ok(content.equals(await readFile(join(folder, id))), `${id} is not what the service has`)
    assert.deepEqual(await readdir(folder), [id])
    const half = Math.floor(content.length / 2)
    const rest = dialect.ranges === 'yes' ? { status: 206, from: half } : { status: 200, from: 0 }
    assert.deepEqual(cutting.files.slice(before), [{ status: 200, from: 0 }, rest])
  } finally {
    await rm(folder, { recursive: true })
  }
}

const Alert = z.object({ id: z.string() })

async function readAlerts(client: MonitorClient, { dialect, world }: Scene): Promise<void> {
  const reported = world.changes().slice(10)
  const since = new Date(reported[0]?.at ?? 0).toISOString()
  const listed = allOf(client.alerts('/monitoring/alerts', { since }))
  if (dialect.alerts === 'absent') {
    await fails(listed, NotFound, 404)
    return
  }
  const ids = (await listed).map((alert) => Alert.parse(alert).id)
  if (dialect['alerts-order'] === 'newest-first') ids.reverse()
  assert.deepEqual(
    ids,
    reported.map(({ id }) => id),
  )
}
