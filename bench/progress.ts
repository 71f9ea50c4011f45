/** Says how far a long step is: a line that is written over on a terminal, a line a tenth elsewhere. */
export function showProgress(title: string) {
  const start = Date.now()
  let lastTenth = -1
  return {
    update: (done: number, total: number): void => {
      const tenth = Math.floor((done / total) * 10)
      if (process.stderr.isTTY)
        process.stderr.write(`\r${title}: ${Math.floor((done / total) * 100)} %`)
      else if (tenth > lastTenth) process.stderr.write(`${title}: ${tenth * 10} %\n`)
      lastTenth = tenth
    },
    end: (): void => {
      const seconds = ((Date.now() - start) / 1000).toFixed(1)
      process.stderr.write(`${process.stderr.isTTY ? '\r' : ''}${title}: done in ${seconds} s\n`)
    },
  }
}
