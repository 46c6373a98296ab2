import { createServer } from 'node:http'
import { createNodeMiddleware, Webhooks } from '@octokit/webhooks'
import { secret } from './requests.ts'

// What a Node service would take to receive signed webhooks: it verifies, calls the handler, and answers.
const webhooks = new Webhooks({ secret })
webhooks.on('ping', () => {})
const middleware = createNodeMiddleware(webhooks, { path: '/api/github/webhooks' })
createServer((request, response) => void middleware(request, response)).listen(
  Number(process.argv[2]),
  '127.0.0.1',
)
