import { dependencyStep, nextStep } from './steps/dependencies.js'
import { environmentStep } from './steps/environment.js'
import { pagesStep, routeStep } from './steps/files.js'
import { pluginStep } from './steps/plugin.js'
import { proxyStep } from './steps/proxy.js'
import { sessionStep } from './steps/session.js'
import { seedStep, templateStep } from './steps/template.js'
import type { Step } from './step.js'

/** All changes of a store, in the order in which they are shown. */
export const steps: readonly Step[] = [
  dependencyStep,
  nextStep,
  pluginStep,
  routeStep,
  proxyStep,
  pagesStep,
  sessionStep,
  seedStep,
  templateStep,
  environmentStep,
]
