import { performance } from 'node:perf_hooks'

/** Where progress is written: standard output, or a collector in a test. */
export interface Screen {
  write(text: string): unknown
  isTTY?: boolean
}

export interface Step {
  /** Says how far the step is, such as `40 of 60 orders`. */
  note(text: string): void
}

export interface Steps {
  /** Runs one named step and shows how it goes and how long it took. */
  run<Result>(name: string, work: (step: Step) => Promise<Result>): Promise<Result>
  /** Names a step that there was no need to run. */
  skip(name: string, reason: string): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMilliseconds = 100
const lineMilliseconds = 5000
const eraseLine = '\r\u001b[2K'

/** Ticks and seconds: a spinner on a terminal, a plain line every few seconds anywhere else. */
export function stepsOn(screen: Screen = process.stdout): Steps {
  return {
    async run(name, work) {
      const startedAt = performance.now()
      const display = screen.isTTY ? spin(screen, name, startedAt) : write(screen, name, startedAt)
      try {
        const result = await work(display)
        display.end()
        screen.write(`  ✓ ${name} (${secondsSince(startedAt)})\n`)
        return result
      } catch (error) {
        display.end()
        screen.write(`  ✗ ${name} (${secondsSince(startedAt)})\n`)
        throw error
      }
    },
    skip(name, reason) {
      screen.write(`  ✓ ${name} (${reason})\n`)
    },
  }
}

function spin(screen: Screen, name: string, startedAt: number) {
  let frame = 0
  const draw = (note: string) => {
    const symbol = frames[frame++ % frames.length]
    screen.write(`${eraseLine}  ${symbol} ${name}${note} (${secondsSince(startedAt)})`)
  }
  draw('')
  return repeat(draw, frameMilliseconds, () => screen.write(eraseLine))
}

function write(screen: Screen, name: string, startedAt: number) {
  screen.write(`  … ${name}\n`)
  const line = (note: string) => screen.write(`  … ${name}${note} (${secondsSince(startedAt)})\n`)
  return repeat(line, lineMilliseconds)
}

/** Draws again and again, with the latest note, until the step ends. */
function repeat(draw: (note: string) => void, everyMilliseconds: number, erase = () => {}) {
  let note = ''
  const timer = setInterval(() => draw(note), everyMilliseconds)
  return {
    note(text: string) {
      note = `: ${text}`
    },
    end() {
      clearInterval(timer)
      erase()
    },
  }
}

const secondsSince = (startedAt: number): string =>
  `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
