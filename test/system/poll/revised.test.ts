import { testRevision } from './revision.ts'

testRevision('SQLite', async () => undefined)
