import { spawn, type ChildProcess } from 'node:child_process'

export interface NodeRun {
  /** Names the work in the message when it fails. */
  name: string
  arguments: string[]
  cwd: string
  env?: NodeJS.ProcessEnv
  onMessage?: (message: unknown) => void
  signal?: AbortSignal | undefined
}

const keptOutputCharacters = 8000

/**
 * Runs Node in a process of its own until it ends. It gets no standard input, so nothing can wait
 * for an answer, and what it prints is shown only when it fails.
 */
export async function runNode(run: NodeRun): Promise<void> {
  run.signal?.throwIfAborted()
  const child = spawn(process.execPath, run.arguments, {
    cwd: run.cwd,
    env: { ...process.env, ...run.env },
    stdio: ['ignore', 'pipe', 'pipe', ...(run.onMessage ? (['ipc'] as const) : [])],
  })
  if (run.onMessage) child.on('message', run.onMessage)
  const output = collectOutput(child)
  const stop = () => child.kill('SIGTERM')
  run.signal?.addEventListener('abort', stop)
  try {
    const ending = await endOf(child)
    run.signal?.throwIfAborted()
    if (ending !== 'exit code 0') throw new Error(`${run.name}: ${ending}\n${output()}`)
  } finally {
    run.signal?.removeEventListener('abort', stop)
  }
}

function collectOutput(child: ChildProcess): () => string {
  let text = ''
  const keep = (chunk: string) => {
    text = (text + chunk).slice(-keptOutputCharacters)
  }
  child.stdout?.setEncoding('utf8').on('data', keep)
  child.stderr?.setEncoding('utf8').on('data', keep)
  return () => text.trim()
}

const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
