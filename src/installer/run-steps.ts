import type { Project } from './project.js'
import type { Step } from './step.js'
import { steps } from './steps.js'

/** How a step stands in a store. */
export interface StepState {
  step: Step
  state: 'done' | 'to do' | 'by hand'
}

/** The steps that the store needs, and how they stand. */
export function statesOf(project: Project): StepState[] {
  return steps
    .filter(({ isNeeded }) => isNeeded?.(project) !== false)
    .map((step) => {
      if (step.isDone(project)) return { step, state: 'done' }
      return { step, state: step.place(project) === undefined ? 'by hand' : 'to do' }
    })
}

/** Makes the changes of the steps in memory. @returns Each step, as it stood before. */
export function applySteps(project: Project, isWanted: (step: Step) => boolean): StepState[] {
  const states = statesOf(project).filter(({ step }) => isWanted(step))
  for (const { step, state } of states) if (state === 'to do') step.apply(project)
  return states
}

/** Takes all changes back in memory, the last one first. @returns The steps that a person has to take back. */
export function undoSteps(project: Project): Step[] {
  const done = statesOf(project).filter(({ state }) => state === 'done')
  for (const { step } of [...done].reverse()) step.undo(project)
  return done.map(({ step }) => step).filter((step) => isOurs(step) && step.isDone(project))
}

/** Steps that mend what was wrong without Storeconnect may stay. */
const isOurs = ({ isMend }: Step) => isMend !== true
