import { readEmail } from '../../marketing/email.js'
import type { LeaveOut } from '../../marketing/left-out.js'
import { readPhoneNumber } from '../../marketing/phone-number.js'
import { mergeProfiles, type Profile } from '../../marketing/profile.js'

/**
 * The account of a logged-in visitor with the posted values in place of its own. What identifies the
 * account stays away from another email, which would become a part of it on the platform.
 */
export function profileToSend(account: Profile, posted: Profile): Profile {
  const { externalId, phoneNumber, ...rest } = account
  const isSameEmail =
    posted.email === undefined || posted.email.toLowerCase() === account.email?.toLowerCase()
  const identifiers = {
    ...(externalId !== undefined && { externalId }),
    ...(phoneNumber !== undefined && { phoneNumber }),
  }
  return mergeProfiles(isSameEmail ? { ...rest, ...identifiers } : rest, posted)
}

/** The account's profile without an email or phone number that the platform would not take. */
export function checkAccount(account: Profile, leaveOut: LeaveOut): Profile {
  const { email: emailText, phoneNumber: phoneText, ...rest } = account
  const email = readEmail(emailText ?? '')
  const phoneNumber = readPhoneNumber(phoneText ?? '')
  if (emailText !== undefined && email === undefined) leaveOut('account email', 'not a valid email')
  if (phoneText !== undefined && phoneNumber === undefined) {
    leaveOut('account phone number', 'not a phone number in international format')
  }
  return {
    ...rest,
    ...(email !== undefined && { email }),
    ...(phoneNumber !== undefined && { phoneNumber }),
  }
}
