import { writeFileSync } from 'node:fs'
import { evidenceJsonSchema } from './file.ts'

/** `npm run schema`: docs/evidence.schema.json from the schema that files are read by. */
writeFileSync('docs/evidence.schema.json', `${JSON.stringify(evidenceJsonSchema(), null, 2)}\n`)
