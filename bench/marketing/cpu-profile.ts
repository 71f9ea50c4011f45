import { Session, type Profiler } from 'node:inspector/promises'

/** Where the processor's time went: the share of each file of ours, or package, or of Node's own code. */
export type Shares = Record<string, number>

export interface CpuProfile {
  end(): Promise<Shares>
}

export async function startCpuProfile(): Promise<CpuProfile> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  return {
    async end() {
      const { profile } = await session.post('Profiler.stop')
      session.disconnect()
      return sharesOf(profile)
    },
  }
}

/** Each sample counts for the nearest of its callers that is a file of ours or a package. */
function sharesOf({ nodes, samples = [] }: Profiler.Profile): Shares {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const callerOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((c) => [c, id])))
  const ownerOf = (id: number | undefined): string => {
    const node = id === undefined ? undefined : byId.get(id)
    if (node === undefined) return 'Node'
    const { url, functionName } = node.callFrame
    if (functionName === '(garbage collector)') return 'garbage collection'
    return partOf(url) ?? ownerOf(callerOf.get(node.id))
  }
  const busy = samples.filter((id) => byId.get(id)?.callFrame.functionName !== '(idle)')
  const counts = new Map<string, number>()
  for (const id of busy) counts.set(ownerOf(id), (counts.get(ownerOf(id)) ?? 0) + 1)
  return Object.fromEntries([...counts].map(([name, count]) => [name, count / busy.length]))
}

/** `src/core/http/csrf.ts`, `jose`, or undefined for Node's own code. */
function partOf(url: string): string | undefined {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  return inPackage ?? /\/(src\/.+|bench\/.+)$/.exec(url)?.[1]
}
