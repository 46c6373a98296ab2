import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request to the service; times as `performance.now()` has them. */
export interface Asked {
  /** Which process asked, by the number of its life. */
  life: number
  from: number
  /** When it had its answer, or its connection ended. */
  to: number
}

/** Stands before the service, and notes which process asks it: each has an address of its own. */
export async function startFront(service: string) {
  const lives: Asked[] = []
  const server = createServer((incoming, answer) => {
    const [, life, path] = /^\/(\d+)(\/.*)$/.exec(incoming.url ?? '') ?? []
    const asking: Asked = { life: Number(life), from: performance.now(), to: Number.POSITIVE_INFINITY }
    lives.push(asking)
    answer.on('close', () => {
      asking.to = performance.now()
    })
    const { method, headers } = incoming
    const passedOn = request(new URL(path ?? '/', service), { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
    })
    passedOn.on('error', () => answer.destroy())
    incoming.pipe(passedOn)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    /** The service's address for one process. */
    url: (life: number) => `http://127.0.0.1:${port}/${life}${new URL(service).pathname}`,
    asked: lives,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * The cases of a second process that asked the service beside the first. Another may only follow when the one before has ended, or when
 * Postgres was away since that one began, so that it lost its role.
 */
export function secondPollers(
  asked: readonly Asked[],
  known: { endedAt: ReadonlyMap<number, number>; awayAt: readonly number[] },
): string[] {
  const faults: string[] = []
  let sole: { life: number; since: number; to: number } | undefined
  for (const { life, from, to } of asked.toSorted((one, other) => one.from - other.from)) {
    if (sole === undefined) sole = { life, since: from, to }
    if (sole.life === life) {
      sole.to = Math.max(sole.to, to)
      continue
    }
    const { life: before, since } = sole
    const hasEnded = (known.endedAt.get(before) ?? Number.POSITIVE_INFINITY) <= from
    const mayHaveLost = known.awayAt.some((at) => at >= since && at <= from)
    if (!hasEnded && !mayHaveLost) faults.push(`process ${life} asked the service while ${before} does`)
    else if (sole.to > from) faults.push(`process ${life} asked the service before ${before} had its answer`)
    sole = { life, since: from, to }
  }
  return faults
}
