import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { expect } from 'vitest'
import type { DatabaseKind } from '../../support/store-config.js'
import { processScript } from '../../support/process-script.js'

export interface NoticeToSend {
  reference: string
  body: string
}

/** A store in a process of its own, ready to record notices until it is killed. */
interface Recorder {
  /**
   * Sends the notices, and kills the process at a moment: some milliseconds after some printed lines.
   *
   * @returns the references of the notices that it reported as stored, once all its writes have ended.
   */
  killWhileSending(notices: NoticeToSend[], moment: KillMoment): Promise<string[]>
  /** Ends a recorder that was not used. */
  stop(): Promise<void>
}

interface KillMoment {
  lines: number
  milliseconds: number
}

/** A start takes longest, so the next recorders start while one records and its result is checked. */
const startedAhead = 2

export type RecorderQueue = ReturnType<typeof queueRecorders>

/** Starts `count` recorders, to be used one after another. */
export function queueRecorders(of: { kind: DatabaseKind; url: string; count: number }) {
  const script = processScript('record-notices-process')
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
  // A process that ends before it is ready prints no line.
  const first = await Promise.race([ready, ended])
  if (first[0] !== 'ready') throw new Error(`The recorder said "${String(first[0])}", not "ready".`)

  return {
    async killWhileSending(notices, moment) {
      const printed: string[] = []
      lines.on('line', (line) => {
        printed.push(line)
        if (printed.length !== moment.lines) return
        setTimeout(() => child.kill('SIGKILL'), moment.milliseconds)
      })
      child.stdin.write(`${JSON.stringify(notices)}\n`)
      const [, signal] = await ended
      expect(signal, `the last lines were ${printed.slice(-2).join(', ')}`).toBe('SIGKILL')
      if (kind === 'postgres') await connectionsEnded(url, name)

      expect(printed.filter((line) => line.startsWith('refused'))).toEqual([])
      return printed.flatMap((line) => /^stored (.+)$/.exec(line)?.[1] ?? [])
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Waits until the database server has ended the last statement of the process. */
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
        { interval: 20 },
      )
      .toBe(0)
  } finally {
    await client.end()
  }
}
