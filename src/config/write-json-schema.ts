import { writeFileSync } from 'node:fs'
import { configJsonSchema } from './json-schema.ts'

/** `npm run schema`: config/bluepencil.schema.json from the schema that the program checks with. */
writeFileSync('config/bluepencil.schema.json', `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
