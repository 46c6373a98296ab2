import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { testRevision } from '../../system/poll/revision.ts'

const server = postgresForTests()

testRevision('Postgres', () => server().create())
