import { writeFileSync } from 'node:fs'
import { contractFiles } from './files.ts'

/** `npm run contracts`: docs/internals/contracts/ from the schemas that the sandbox writes its answers with. */
for (const [file, text] of contractFiles()) writeFileSync(file, text)
