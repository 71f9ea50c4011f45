const SystemDate = Date
let aheadMs = 0
const now = () => SystemDate.now() + aheadMs

/** Sets this process's wall clock so much ahead of the system's, or behind it. It goes on from there. */
export function setClock(ms: number): void {
  aheadMs = ms
  globalThis.Date = new Proxy(SystemDate, {
    construct: (target, given: unknown[], made) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, made) as Date,
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  })
}
