import type { Translator } from '../../core/payload/label.js'
import type { LackingFeature } from '../klaviyo/key-scopes.js'

/** What a test of the key has found. */
export type ConnectionReport =
  | { is: 'no-key' }
  | { is: 'key-unreadable' }
  | { is: 'no-variable'; name: string }
  | { is: 'refused'; reason: string }
  | { is: 'connected'; account: string; lacking: LackingFeature[] }

interface Line {
  type: 'default' | 'error' | 'success'
  text: string
}

/** What is said of it, the most important first. */
export function connectionLines(report: ConnectionReport, translate: Translator): Line[] {
  switch (report.is) {
    case 'no-key':
      return [{ type: 'default', text: translate('apiKeyMissing') }]
    case 'key-unreadable':
      return [{ type: 'error', text: translate('apiKeyUnreadable') }]
    case 'no-variable':
      return [{ type: 'error', text: translate('variablesMissing', { names: report.name }) }]
    case 'refused':
      return [{ type: 'error', text: translate('connectionFailed', { reason: report.reason }) }]
    case 'connected':
      return linesOfScopes(report, translate)
  }
}

/** The scopes that the key lacks, what does not work without them, and what else would not. */
function linesOfScopes(
  { account, lacking }: Extract<ConnectionReport, { is: 'connected' }>,
  translate: Translator,
): Line[] {
  const used = lacking.filter(({ isUsed }) => isUsed)
  const missing = scopesIn(used)
  const unused = scopesIn(lacking).filter((scope) => !missing.includes(scope))
  const head: Line =
    missing.length === 0
      ? { type: 'success', text: translate('connectionWorks', { account }) }
      : {
          type: 'error',
          text: translate('connectionLacksScopes', { account, scopes: missing.join(', ') }),
        }
  return [
    head,
    ...used.map(({ off, scopes }): Line => {
      return { type: 'error', text: `${translate(off)}: ${scopes.join(', ')}` }
    }),
    ...(unused.length === 0 ? [] : [unused.join(', ')]).map((scopes): Line => {
      return { type: 'default', text: translate('connectionUnusedScopes', { scopes }) }
    }),
  ]
}

const scopesIn = (lacking: readonly LackingFeature[]) => [
  ...new Set(lacking.flatMap(({ scopes }) => scopes)),
]
