import { describeLowdbStore } from './lowdb.ts'

// test/night/store/lowdb.test.ts: with 1,000 and with one, and what is in its files.
describeLowdbStore(5)
