import { cookies } from 'next/headers'

/** What the visitor decided about Klaviyo's script; undefined when they did not. */
export async function readPrivacyChoice(): Promise<boolean | undefined> {
  const choice = (await cookies()).get('privacy-choice')?.value
  return choice === undefined ? undefined : choice === 'yes'
}
