import { boundProfile } from '../../marketing/bound-profile.js'
import type { Profile } from '../../marketing/profile.js'
import type { MarketingPost } from './marketing-action.js'
import { readProfile } from './profile-parameters.js'
import { checkAccount, profileToSend } from './profile-to-send.js'

/**
 * Whom a post is about: what it says, and that on top of the account of a logged-in visitor
 * (`interface.md`, Marketing endpoints).
 */
export async function profileOfPost({
  form,
  leaveOut,
}: Pick<MarketingPost, 'form' | 'leaveOut'>): Promise<{ posted: Profile; profile: Profile }> {
  const posted = readProfile(form.tree, leaveOut)
  const visitor = await form.visitor()
  const account = visitor === undefined ? {} : checkAccount(await visitor.profile(), leaveOut)
  return { posted, profile: boundProfile(profileToSend(account, posted), leaveOut) }
}
