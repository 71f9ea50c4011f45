import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { expect } from 'vitest'
import type { DatabaseKind } from '../../support/store-config.js'
import { makePlainScripts } from '../../support/plain-scripts.js'

export interface NoticeToSend {
  reference: string
  body: string
}

/** A store in a process of its own, ready to record notices until it is killed. */
interface Recorder {
  /**
   * Sends the notices, and kills the process so many milliseconds after it said so many lines.
   *
   * @returns the references whose notices it said were stored, once all it wrote has been settled.
   */
  killWhileSending(notices: NoticeToSend[], moment: KillMoment): Promise<string[]>
  /** Ends one that was not used. */
  stop(): Promise<void>
}

interface KillMoment {
  lines: number
  milliseconds: number
}

/** Starting one takes longest: the next ones start while one works and is looked at. */
const startedAhead = 2

export type RecorderQueue = ReturnType<typeof queueRecorders>

/** So many recorders, one after another. */
export function queueRecorders(of: { kind: DatabaseKind; url: string; count: number }) {
  const scripts = makePlainScripts()
  const script = scripts.pathOf('test/support/record-notices-process.js')
  const waiting: Promise<Recorder>[] = []
  let toStart = of.count
  const startSome = () => {
    while (toStart > 0 && waiting.length < startedAhead) {
      waiting.push(startRecorder({ ...of, script }))
      toStart -= 1
    }
  }
  startSome()
  return {
    async next(): Promise<Recorder> {
      const recorder = await waiting.shift()
      if (recorder === undefined) throw new Error('All recorders have been used.')
      startSome()
      return recorder
    },
    async stop(): Promise<void> {
      for (const recorder of waiting) await (await recorder).stop()
      scripts.remove()
    },
  }
}

interface RecorderSetup {
  kind: DatabaseKind
  url: string
  script: string
}

let started = 0

async function startRecorder({ kind, url, script }: RecorderSetup): Promise<Recorder> {
  const name = `recorder_${process.pid}_${started++}`
  const ownUrl = kind === 'sqlite' ? url : `${url}?application_name=${name}`
  const child = spawn(process.execPath, [script, kind, ownUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close') as Promise<[code: number | null, signal: string | null]>
  const lines = createInterface({ input: child.stdout })
  const ready = once(lines, 'line')
  // One that ends before it is ready has no line to wait for.
  const first = await Promise.race([ready, ended])
  if (first[0] !== 'ready') throw new Error(`The recorder said "${String(first[0])}", not "ready".`)

  return {
    async killWhileSending(notices, moment) {
      const said: string[] = []
      lines.on('line', (line) => {
        said.push(line)
        if (said.length !== moment.lines) return
        setTimeout(() => child.kill('SIGKILL'), moment.milliseconds)
      })
      child.stdin.write(`${JSON.stringify(notices)}\n`)
      const [, signal] = await ended
      expect(signal, `the last lines were ${said.slice(-2).join(', ')}`).toBe('SIGKILL')
      if (kind === 'postgres') await connectionsEnded(url, name)

      expect(said.filter((line) => line.startsWith('refused'))).toEqual([])
      return said.flatMap((line) => /^stored (.+)$/.exec(line)?.[1] ?? [])
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The server may still be at the last statement that it got from the process. */
async function connectionsEnded(url: string, applicationName: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await expect
      .poll(
        async () => {
          const { rowCount } = await client.query(
            'select 1 from pg_stat_activity where application_name = $1',
            [applicationName],
          )
          return rowCount
        },
        { timeout: 20_000, interval: 20 },
      )
      .toBe(0)
  } finally {
    await client.end()
  }
}
