import { createChainer } from '../../src/evidence/chaining.ts'

/** Chains all that is there now. */
export async function chainAll(parts: Parameters<typeof createChainer>[0]): Promise<void> {
  const chainer = createChainer(parts)
  while (await chainer.addBatch());
}
