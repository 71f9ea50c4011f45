import type { Config } from './payload-types.ts'

// Tells Payload's own functions what this store's collections look like. Apart from the generated
// file, so that reading a type from it changes nothing for those who read it.
declare module 'payload' {
  export interface GeneratedTypes extends Config {
    collections: Config['collections']
  }
}
