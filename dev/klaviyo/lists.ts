export type OptInProcess = 'double_opt_in' | 'single_opt_in'

export interface ListSeed {
  id: string
  name: string
  optIn: OptInProcess
}

/** The lists of the stand-in's account. */
export const demoLists: readonly ListSeed[] = [
  { id: 'NEWSLTR', name: 'Newsletter', optIn: 'double_opt_in' },
  { id: 'WELCOME', name: 'Welcome series', optIn: 'single_opt_in' },
  { id: 'VIPLIST', name: 'VIP', optIn: 'single_opt_in' },
]
