import type { CollectionBeforeChangeHook } from 'payload'

/** Stops saves of the API between their read and their write. */
export function createPause() {
  let reached = () => {}
  let proceed: Promise<void> | undefined
  const hook: CollectionBeforeChangeHook = async ({ operation, req }) => {
    if (operation !== 'update' || req.payloadAPI !== 'REST') return
    reached()
    await proceed
  }
  return {
    hook,
    /** Runs what happens while the save waits. */
    async during(save: () => Promise<unknown>, happens: () => Promise<void>): Promise<void> {
      let go = () => {}
      proceed = new Promise((resolve) => (go = resolve))
      const isReached = new Promise<void>((resolve) => (reached = resolve))
      const saving = save()
      await Promise.race([isReached, saving])
      await happens()
      go()
      await saving
    },
  }
}
