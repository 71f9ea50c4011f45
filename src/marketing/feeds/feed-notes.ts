/** The account's field that holds a digest of the profile that was sent last, or one of the notes below. */
export const sentProfileField = 'sentProfile'

/** The account has a change that is not sent yet. */
export const pendingNote = 'pending'
/** An import wrote the account last, so its profile is not sent. */
export const importNote = 'import'
