import { createChainer, endOf } from '../../src/record/evidence/chain.ts'

/** Chains all that is there now, in a new stretch where the end of the chain was lost. */
export async function chainAll(parts: Parameters<typeof createChainer>[0]): Promise<void> {
  const chainer = createChainer(parts)
  while (await chainer.addBatch((await endOf(parts.store)).begins));
}
