import { join } from 'node:path'
import { inject } from 'vitest'

/** The bundle of a script in this folder. */
export const processScript = (name: string): string => join(inject('processScripts'), `${name}.js`)
