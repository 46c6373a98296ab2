import { type Request, Router } from 'express'
import { answer } from '../answer.ts'
import { datasetForm, datasetIds, downloadLinkForm, readDataset, type SandboxDataset } from '../datasets.ts'
import type { ServiceDialect } from '../dialect.ts'
import { type DownloadLinks, sendDataset } from '../download.ts'
import { badRequest, notFound } from '../errors.ts'
import { answerList } from '../lists.ts'
import { publicationForm, publications } from '../publications.ts'
import type { World } from '../world.ts'

export function researchRoutes(world: World, links: DownloadLinks, dialect: ServiceDialect): Router {
  const router = Router()
  const publication = publicationForm(dialect)
  const dataset = datasetForm(dialect)
  const downloadLink = downloadLinkForm(dialect)

  router.get('/publications', (request, response) => {
    const year = yearOf(request)
    const entries = publications(world)
      .filter(({ publishedAt }) => year === undefined || new Date(publishedAt).getUTCFullYear() === year)
      .map(publication.write)
    answerList(request, response, { schema: publication.schema, entries, dialect })
  })

  router.get('/datasets', (request, response) => {
    const entries = datasetIds.map((id) => dataset.write(findDataset(world, dialect, id)))
    answerList(request, response, { schema: dataset.schema, entries, dialect })
  })

  router.get('/datasets/:id/download', (request, response) => {
    const file = findDataset(world, dialect, request.params.id)
    if (dialect.download === 'stream') return sendDataset(request, response, file, dialect.ranges)
    const { path, expiresAt } = links.make(file.id)
    const url = `${request.protocol}://${request.host}${path}`
    if (dialect.download === 'redirect') return void response.status(302).set('Location', url).end()
    answer(response, downloadLink.schema, downloadLink.write({ url, expiresAt, dataset: file }))
  })

  return router
}

/** The addresses that a download leads to: they stand beside /v1 and ask for no key. */
export function fileRoutes(world: World, links: DownloadLinks, dialect: ServiceDialect): Router {
  const router = Router()
  router.get('/:token', (request, response) => {
    const id = links.find(request.params.token)
    if (id === undefined) throw notFound('This link has ended, or never was.')
    sendDataset(request, response, findDataset(world, dialect, id), dialect.ranges)
  })
  return router
}

function findDataset(world: World, dialect: ServiceDialect, id: string): SandboxDataset {
  const dataset = readDataset(id, world, dialect)
  if (dataset !== undefined) return dataset
  throw notFound(`There is no data set ${id}; there are ${datasetIds.join(', ')}.`)
}

/** Undefined if it is left out. Throws a 400. */
function yearOf(request: Request): number | undefined {
  const { year } = request.query
  if (year === undefined) return undefined
  if (typeof year === 'string' && /^\d{4}$/.test(year)) return Number(year)
  throw badRequest('year must have four digits, such as year=2026.')
}
