import { writeFileSync } from 'node:fs'
import { verifyPage } from './build.ts'

// `npm run verify-page`: the page that the console serves, from the code that `bluepencil verify` runs.
writeFileSync('src/console/verify.html', await verifyPage())
