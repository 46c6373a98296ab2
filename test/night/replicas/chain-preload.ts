/**
 * `node --import chain-preload.ts src/main.js serve`: ends its own process with -9 at a step of the first batch of the chain
 * that it adds in Postgres, which CHAIN_DIES names. The steps are seen in what is sent to the server.
 */
import pg from 'pg'

export type ChainStep = 'before insert' | 'after insert' | 'before commit' | 'after commit'

const { query } = pg.Client.prototype
const adding = new WeakSet<pg.Client>()

function reach(step: ChainStep): void {
  if (process.env.CHAIN_DIES !== step) return
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}

/** Answers what the server answers, and ends before that on order. */
async function watched(client: pg.Client, isCommit: boolean, args: unknown[]): Promise<unknown> {
  if (!isCommit) adding.add(client)
  else adding.delete(client)
  const step = isCommit ? 'commit' : 'insert'
  reach(`before ${step}`)
  const answer: unknown = await Reflect.apply(query, client, args)
  reach(`after ${step}`)
  return answer
}

Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: unknown[]) {
    const [asked] = args
    const text = typeof asked === 'object' && asked !== null && 'text' in asked ? String(asked.text) : asked
    const isCommit = text === 'commit' && adding.has(this)
    const isInsert = String(text).includes('insert into bluepencil.chain')
    if (isCommit || isInsert) return watched(this, isCommit, args)
    return Reflect.apply(query, this, args)
  },
})
