import { type Request, type Response, Router } from 'express'
import { answer } from '../answer.ts'
import { datasetIds, readDataset, type SandboxDataset } from '../datasets.ts'
import type { ServiceDialect } from '../dialect.ts'
import { sendDataset } from '../download.ts'
import type { DownloadLinks } from '../download-links.ts'
import { badRequest, notFound } from '../errors.ts'
import { answerList } from '../lists.ts'
import { publications } from '../publications.ts'
import { datasetForm, downloadLinkForm } from '../shapes/dataset.ts'
import { publicationForm } from '../shapes/publication.ts'
import type { World } from '../world.ts'

export function researchRoutes(world: World, links: DownloadLinks, dialect: ServiceDialect): Router {
  const router = Router()
  const publicationAs = publicationForm(dialect)
  const datasetAs = datasetForm(dialect)

  router.get('/publications', (request, response) => {
    const year = yearOf(request)
    const chosen = publications(world).filter(
      ({ publishedAt }) => year === undefined || new Date(publishedAt).getUTCFullYear() === year,
    )
    const entries = chosen.map(publicationAs.write)
    answerList(request, response, { schema: publicationAs.schema, entries, dialect })
  })

  router.get('/datasets', (request, response) => {
    const entries = datasetIds.map((id) => datasetAs.write(find(world, dialect, id)))
    answerList(request, response, { schema: datasetAs.schema, entries, dialect })
  })

  router.get('/datasets/:id/download', (request, response) => {
    const dataset = find(world, dialect, request.params.id)
    if (dialect.download === 'stream') return sendDataset(request, response, dataset, dialect.ranges)
    answerLink(request, response, dataset, { links, dialect })
  })

  return router
}

/** The addresses that a download leads to: they stand beside /v1 and ask for no key. */
export function fileRoutes(world: World, links: DownloadLinks, dialect: ServiceDialect): Router {
  const router = Router()
  router.get('/:token', (request, response) => {
    const id = links.find(request.params.token)
    if (id === undefined) throw notFound('This link has ended, or never was.')
    sendDataset(request, response, find(world, dialect, id), dialect.ranges)
  })
  return router
}

function answerLink(
  request: Request,
  response: Response,
  dataset: SandboxDataset,
  { links, dialect }: { links: DownloadLinks; dialect: ServiceDialect },
): void {
  const { path, expiresAt } = links.make(dataset.id)
  const url = `${request.protocol}://${request.host}${path}`
  if (dialect.download === 'redirect') {
    response.status(302).set('Location', url).end()
    return
  }
  const { schema, write } = downloadLinkForm(dialect)
  answer(response, schema, write({ url, expiresAt, dataset }))
}

function find(world: World, dialect: ServiceDialect, id: string): SandboxDataset {
  const dataset = readDataset(id, world, dialect)
  if (dataset !== undefined) return dataset
  throw notFound(`There is no data set ${id}; there are ${datasetIds.join(', ')}.`)
}

/** Undefined where it is left out. Throws a 400. */
function yearOf(request: Request): number | undefined {
  const { year } = request.query
  if (year === undefined) return undefined
  if (typeof year === 'string' && /^\d{4}$/.test(year)) return Number(year)
  throw badRequest('year must have four digits, such as year=2026.')
}
