import { writeFileSync } from 'node:fs'
import { webhookJsonSchema } from './body.ts'

/** `npm run schema`: docs/webhook.schema.json from the schema that the body is typed by. */
writeFileSync('docs/webhook.schema.json', `${JSON.stringify(webhookJsonSchema(), null, 2)}\n`)
