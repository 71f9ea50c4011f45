/** Which stores the installer is tried on, and by which variable of the environment each is chosen. */
const choices = {
  TEMPLATE_MANAGER: ['npm', 'pnpm'],
  TEMPLATE_DATABASE: ['sqlite', 'postgres'],
  TEMPLATE_SHAPE: [
    'like-the-template',
    'without-src',
    'own-proxy',
    'inline-plugins',
    'aliases',
    'javascript',
    'monorepo',
  ],
} as const

type Choices = typeof choices
type Chosen<Name extends keyof Choices> = Choices[Name][number]

/** The first ones, unless the environment says otherwise. */
export const cell = {
  packageManager: chosen('TEMPLATE_MANAGER'),
  database: chosen('TEMPLATE_DATABASE'),
  shape: chosen('TEMPLATE_SHAPE'),
  /** A version of Next.js. Default: that of the checkout. */
  next: process.env.TEMPLATE_NEXT,
}

function chosen<Name extends keyof Choices>(name: Name): Chosen<Name> {
  const allowed: readonly Chosen<Name>[] = choices[name]
  const wanted = process.env[name] ?? allowed[0]
  const found = allowed.find((each) => each === wanted)
  if (found === undefined) throw new Error(`${name} is one of ${allowed.join(', ')}.`)
  return found
}
