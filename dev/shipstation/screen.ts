import cliProgress from 'cli-progress'

/** Where the commands write; nothing else of theirs knows the terminal. */
export interface Screen {
  line(text: string): void
  progress(): Progress
}

/** A bar on a terminal, plain lines anywhere else. */
export interface Progress {
  /** Moves the bar. */
  step(done: number, total: number, unit: string): void
  /** A line for those who see no bar. */
  plainLine(text: string): void
  /** A line for everyone. */
  line(text: string): void
  stop(): void
}

export function createScreen(output: NodeJS.WriteStream): Screen {
  const line = (text: string): void => {
    output.write(`${text}\n`)
  }
  return { line, progress: () => (output.isTTY ? barProgress(output) : plainProgress(line)) }
}

const plainProgress = (line: (text: string) => void): Progress => ({
  step: () => undefined,
  plainLine: line,
  line,
  stop: () => undefined,
})

function barProgress(stream: NodeJS.WriteStream): Progress {
  const bars = new cliProgress.MultiBar(
    { stream, format: '{bar} {value} of {total} {unit}', hideCursor: true },
    cliProgress.Presets.shades_classic,
  )
  // Made at the first step: what fails before it leaves no empty bar behind.
  let bar: cliProgress.SingleBar | undefined
  return {
    step: (done, total, unit) => {
      bar ??= bars.create(total, 0, { unit })
      bar.setTotal(total)
      bar.update(done, { unit })
    },
    plainLine: () => undefined,
    line: (text) => bars.log(`${text}\n`),
    stop: () => {
      if (!bar) return
      // Stopping alone would lose the lines since the last redraw.
      bars.update()
      bars.stop()
    },
  }
}
