import { describeSqliteStore } from '../../system/store/sqlite-contract.ts'

describeSqliteStore('threads of its own')
