import { answerQuestions } from './child.js'
import { openConnection } from './connection.js'
import { runLoad, type Load, type LoadResult } from './load.js'
import { aVisitor, type Visitor } from './visitor.js'

// Run by run.ts: posts to a shop, from a process of its own.
const visitorsOfShop = 64

/** By the shop's port: sessions and tokens hold for the whole run. */
const visitorsByPort = new Map<number, Visitor[]>()

answerQuestions<Load, LoadResult>(async (load) => {
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => openConnection(load.port)),
  )
  try {
    const visitors = visitorsByPort.get(load.port) ?? []
    visitorsByPort.set(load.port, visitors)
    const [first] = connections
    while (first && visitors.length < visitorsOfShop) visitors.push(await aVisitor(first))
    return await runLoad(load, { connections, visitors })
  } finally {
    for (const connection of connections) connection.close()
  }
})
