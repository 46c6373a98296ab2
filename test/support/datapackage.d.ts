/** What the tests use of it; it comes without types. */
declare module 'datapackage' {
  interface Resource {
    name: string
    read(options: { keyed: true; relations?: boolean }): Promise<Record<string, unknown>[]>
  }
  export class Package {
    static load(descriptor: string): Promise<Package>
    readonly valid: boolean
    readonly errors: Error[]
    readonly resources: Resource[]
  }
}
