/** The longest email address that mail can be sent to (RFC 5321, 4.5.3.1.3). */
const emailLength = 254

// Each character matches only one part of these patterns, so no text makes them slow.
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const domainLabel = /^[a-z0-9-]+$/i
const topLevelDomain = /^[a-z]{2,}$/i

/** Undefined when Payload would not accept it for an account (`docs/interface.md` (Profile)). */
export function readEmail(text: string): string | undefined {
  const email = text.trim()
  if (email.length > emailLength) return undefined
  const at = email.indexOf('@')
  if (at === -1 || !localPart.test(email.slice(0, at))) return undefined
  const labels = email.slice(at + 1).split('.')
  const last = labels.pop() ?? ''
  return labels.length > 0 && labels.every(isDomainLabel) && topLevelDomain.test(last)
    ? email
    : undefined
}

const isDomainLabel = (label: string) =>
  domainLabel.test(label) && !label.startsWith('-') && !label.endsWith('-')

/** Whether two texts are the same address. Capitals make no difference. One that is not known is nobody's. */
export const isSameEmail = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && one.toLowerCase() === other?.trim().toLowerCase()
