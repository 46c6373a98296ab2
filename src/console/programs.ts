import type { IRouter } from 'express'
import { createRoutes } from '../platform/server/application.ts'
import { addApi } from './api/routes.ts'
import type { ApplicationParts } from './application.ts'
import { addExports } from './export/routes.ts'
import { addFeeds } from './feed/routes.ts'
import { problemOf } from './problem.ts'

/** Adds what programs read. None of it changes anything, and none of it sets a cookie. */
export function addPrograms(routes: IRouter, parts: ApplicationParts): void {
  const programs = createRoutes()
  addFeeds(programs, parts)
  addExports(programs, parts)
  addApi(programs, parts)
  programs.use(problemOf(parts.shown))
  routes.use(programs)
}
