import { describeSqliteStore } from './sqlite-contract.ts'

// In threads of its own: test/night/store/sqlite-threads.test.ts.
describeSqliteStore('this thread')
