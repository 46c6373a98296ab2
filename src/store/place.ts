import { resolve } from 'node:path'

/** Where a store is. */
export type StorePlace =
  | { is: 'folder'; folder: string }
  /** `name` is the address without what is secret in it. */
  | { is: 'database'; url: string; name: string }

/** As `store` of the configuration names it. A folder is relative to the working directory. */
export function storePlace(store: string): StorePlace {
  if (store.startsWith('file:')) return { is: 'folder', folder: resolve(store.slice('file:'.length)) }
  return { is: 'database', url: store, name: store.replace(/\/\/[^/?]*@/, '//').replace(/\?.*$/s, '') }
}

/** For sentences and logs. */
export function nameOf(place: StorePlace): string {
  return place.is === 'folder' ? place.folder : place.name
}
