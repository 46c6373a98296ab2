import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** Nothing is loaded from elsewhere, no script runs that is not a file of ours, and nobody frames a page. */
export const securityHeaders: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'style-src': ["'self'"],
      'script-src': ["'self'"],
      // The icon that there is none.
      'img-src': ["'self'", 'data:'],
      'connect-src': ["'self'"],
      'form-action': ["'self'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  // With `no-referrer` a browser says of our own forms that they come from nowhere.
  referrerPolicy: { policy: 'same-origin' },
  // Whoever serves it by https says so for the host.
  strictTransportSecurity: false,
})
