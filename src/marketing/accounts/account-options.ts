import * as z from 'zod/mini'
import type { Profile } from '../klaviyo/profile.js'
import type { UserDocument } from '../../core/http/visit.js'
import { callback, schemaOf } from '../../core/options-schema.js'

export interface AccountOptions {
  /**
   * Returns the profile that may be sent to Klaviyo about a user's account. Default: email, first and
   * last name and phone number, where the users have such fields, and the id as external id. When it
   * returns undefined, nothing about the account is sent. What is not part of a profile is left out with
   * a warning. When it throws, that is logged, and nothing about the account is sent.
   *
   * @example
   * mapUser: (user) => ({ email: user.email, properties: { Club: user.club } })
   */
  mapUser?: (user: UserDocument) => Profile | undefined | Promise<Profile | undefined>
  /**
   * Only users with one of these roles, in their `roles` or `role` field, have their profile updated when
   * their account is saved. Default: all users in the customers' collection who are no admins.
   */
  accountRoles?: readonly string[]
}

export const accountOptions = schemaOf<AccountOptions>()(
  z.strictObject({
    mapUser: z.optional(callback<AccountOptions['mapUser']>()),
    accountRoles: z.optional(z.readonly(z.array(z.string().check(z.minLength(1))))),
  }),
)
