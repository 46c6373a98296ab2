import { registerHooks } from 'node:module'

/**
 * `node --import each-alone.ts src/main.js serve`: no alert is too many, for tests that send hundreds and look at what becomes of each.
 * What becomes of a flood is tested in unit/decide/accept/flood, system/app/held and night/e2e/stories.
 */
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('/src/decide/accept/flood.ts')) return next(url, context)
    return { format: 'module', shortCircuit: true, source: 'export const restOfFlood = () => undefined' }
  },
})
