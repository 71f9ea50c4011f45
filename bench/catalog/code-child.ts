import { Session } from 'node:inspector/promises'
import { getPayload } from 'payload'
import { storeConfig, type DatabaseKind } from '../../test/support/store-config.js'

/** Modules of the catalog that a process has loaded, and their characters without types. */
export interface LoadedCode {
  modules: number
  characters: number
}

export interface SeenCode {
  /** By a function that has answered nothing yet. */
  atStart: LoadedCode
  /** Once it delivers. */
  delivering: LoadedCode
}

// Run by run.ts: a process on a host of functions.
const [kind = 'sqlite', url = ''] = process.argv.slice(2)
const session = new Session()
session.connect()
const scripts = new Map<string, number>()
session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.url, params.length ?? NaN))
await session.post('Debugger.enable')

function loaded(): LoadedCode {
  const own = [...scripts].filter(([file]) => /\/src\/marketing\/catalog\//.test(file))
  return { modules: own.length, characters: own.reduce((sum, [, length]) => sum + length, 0) }
}

const options = { marketing: { delivery: 'functions' } } as const
const config = await storeConfig({ kind: kind as DatabaseKind, url, options })
const payload = await getPayload({ config })
const atStart = loaded()
// It loads all parts.
const { wholePartsOf } = await import('../../test/support/parts.js')
await wholePartsOf(payload)
const seen: SeenCode = { atStart, delivering: loaded() }
process.stdout.write(JSON.stringify(seen))
process.exit(0)
