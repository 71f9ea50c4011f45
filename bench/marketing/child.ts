import { fork } from 'node:child_process'
import { join } from 'node:path'

/** A process of its own that answers questions, one at a time. */
export interface Child<Question, Answer> {
  ask(question: Question): Promise<Answer>
  stop(): Promise<void>
}

/** What a child says: an answer, or why there is none. */
export type Said<Answer> = { answer: Answer } | { failure: string }

type ChildInput = string | number | boolean | object

/** Starts one of the scripts here. It ends with this process. */
export function startChild<Question extends ChildInput, Answer>(
  script: string,
  setup: ChildInput = {},
): Child<Question, Answer> {
  const child = fork(join(import.meta.dirname, script), [JSON.stringify(setup)], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        const lost = () => reject(new Error(`${script} ended without an answer.`))
        child.once('exit', lost)
        child.once('message', (said) => {
          child.off('exit', lost)
          const heard = said as Said<Answer>
          if ('answer' in heard) resolve(heard.answer)
          else reject(new Error(`${script}: ${heard.failure}`))
        })
        child.send(question)
      }),
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** The child's own side: answers each question, and ends when nobody can ask any more. */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Promise<Answer>,
): void {
  const say = (said: Said<Answer>) => process.send?.(said)
  process.on('message', (question) => {
    answer(question as Question).then(
      (answered) => say({ answer: answered }),
      (error: unknown) => say({ failure: String(error) }),
    )
  })
  process.on('disconnect', () => process.exit(0))
}
