import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readProject } from '../../../src/installer/project.js'
import type { Step } from '../../../src/installer/step.js'
import { nextStep } from '../../../src/installer/steps/dependencies.js'
import { bare, pagesStep, routeStep } from '../../../src/installer/steps/files.js'
import { pluginStep } from '../../../src/installer/steps/plugin.js'
import { proxyStep } from '../../../src/installer/steps/proxy.js'
import { seedStep } from '../../../src/installer/steps/template.js'
import { shopFolder } from './shop-folder.js'

const textOf = (document: string) =>
  bare(readFileSync(join(import.meta.dirname, '../../..', document), 'utf8'))

describe('Who makes the changes by hand is told the same as the installer does', () => {
  const steps: [string, Step][] = [
    ['docs/start.md', nextStep],
    ['docs/start.md', pluginStep],
    ['docs/start.md', routeStep],
    ['docs/start.md', proxyStep],
    ['docs/start.md', pagesStep],
    ['docs/start.md', seedStep],
  ]
  it.each(steps.map(([document, step]) => ({ document, step, title: step.title })))(
    '$document: $title',
    ({ document, step }) => {
      expect(textOf(document)).toContain(bare(step.snippet(readProject(shopFolder(), '')).text))
    },
  )
})
