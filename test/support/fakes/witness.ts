/**
 * Looks on at a fake provider: a request is there (`received`), or done and not answered yet (`done`). The fake waits
 * for what it returns, so that a test can end the sender at that moment.
 */
export type Witness = (moment: 'received' | 'done', request: string) => Promise<void> | void
