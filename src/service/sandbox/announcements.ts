import { channel } from 'node:diagnostics_channel'

// The tests hold whatever any sandbox of theirs says against its contract. They hear of it here, so that no test has
// to ask for it; without a listener, publishing costs nothing.

/** `{ server, dialect }` of each sandbox that listens. */
export const sandboxStarted = channel('bluepencil.sandbox.started')

/** `{ dialect, headers, body }` of each try to deliver. */
export const deliveryBegun = channel('bluepencil.sandbox.delivery')
