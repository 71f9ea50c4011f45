/** The text of a setting after `$NAME` or `${NAME}` was read from the environment. */
interface ResolvedText {
  value: string
  /** The name of the environment variable, when the setting names one that is not set. */
  missingVariable: string | undefined
}

const reference = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))$/

/** The name of the environment variable that a setting refers to; undefined for plain text. */
export function variableName(text: string): string | undefined {
  const match = reference.exec(text.trim())
  return match?.[1] ?? match?.[2]
}

/** `$NAME` and `${NAME}` stand for that environment variable; one that is not set is blank. */
export function resolveText(text: string, environment: NodeJS.ProcessEnv): ResolvedText {
  const name = variableName(text)
  if (name === undefined) return { value: text, missingVariable: undefined }
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined
  return { value: value ?? '', missingVariable: value === undefined ? name : undefined }
}
