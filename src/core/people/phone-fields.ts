/** The fields of an account that may have a phone number. The names are those of Payload's templates. */
export const accountPhoneFields = ['phone', 'phoneNumber', 'phone_number'] as const
