/**
 * Calls back once: at SIGINT, at SIGTERM, or when the `npm` that started this process is gone. A
 * second signal ends the process at once.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let isStopping = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1)
    isStopping = true
    stop(signal)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  if (process.env.npm_lifecycle_event) onParentGone(() => isStopping || onSignal('SIGTERM'))
}

const parentCheckMilliseconds = 500

// npm passes SIGTERM on to the shell between itself and us, and the shell keeps it to itself.
function onParentGone(gone: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, parentCheckMilliseconds)
  timer.unref()
}
