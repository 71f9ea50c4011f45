import { describeOutbox } from '../../support/outbox-suite.js'
import { MemoryOutbox } from '../../support/memory-outbox.js'
import { databaseKinds } from '../../support/store.js'
import { openOutboxStore } from './outbox-store.js'
import { readStates, idOfKey } from './stored-sends.js'

describeOutbox('An outbox in memory', () => {
  const outbox = new MemoryOutbox()
  const text = ({ state, error }: (typeof outbox.rows)[number]) =>
    error ? `${state} ${error.code}` : state
  return Promise.resolve({
    outbox,
    states: () =>
      Promise.resolve(Object.fromEntries(outbox.rows.map((row) => [row.key, text(row)]))),
    idOf: (key) => Promise.resolve(outbox.rows.find((row) => row.key === key)?.id ?? 0),
    clear: () => Promise.resolve(void outbox.rows.splice(0)),
    close: () => Promise.resolve(),
  })
})

for (const kind of databaseKinds) {
  describeOutbox(`An outbox in the database (${kind})`, async () => {
    const store = await openOutboxStore(kind)
    return {
      outbox: store.outbox,
      states: () => readStates(store),
      idOf: (key) => idOfKey(store, key),
      clear: () => store.clear(),
      close: () => store.close(),
    }
  })
}
