import { mergeProfiles, profileKey, type Profile } from '../marketing/profile.js'
import { placesOf } from './places.js'
import { profileResource } from './profile-body.js'

/** A profile of an import, and the items that it stands for. */
export interface ImportEntry {
  profile: Profile
  indexes: number[]
}

/**
 * One entry a profile: nothing says that the job takes the entries in their order, so two of one
 * profile could leave it with the older values.
 */
export function importEntries(profiles: readonly Profile[]): ImportEntry[] {
  const entries = profiles.map((profile, index) => ({ profile, index }))
  return placesOf(entries, ({ profile }) => profileKey(profile)).map(({ items }) => ({
    profile: items.map(({ profile }) => profile).reduce(mergeProfiles),
    indexes: items.map(({ index }) => index),
  }))
}

/** Body of `POST /api/profile-bulk-import-jobs`. */
export const importBody = (entries: readonly ImportEntry[], list?: string) => ({
  data: {
    type: 'profile-bulk-import-job',
    attributes: {
      profiles: { data: entries.map(({ profile }) => profileResource(profile)) },
    },
    ...(list !== undefined && {
      relationships: { lists: { data: [{ type: 'list', id: list }] } },
    }),
  },
})
