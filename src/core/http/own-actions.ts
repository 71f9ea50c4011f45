/** Groups of Storeconnect's own actions. No post is forwarded to them (`docs/interface.md` (Form posts)). */
const ownGroups = ['shippingconnect', 'marketingconnect']

export const pathLimit = 200

const escapes = /%[0-9a-f]{2}/i

/**
 * Whether a path names an action of ours in any disguise: case, slashes, dots, encoding, look-alike letters or
 * marks.
 */
export function namesOwnAction(path: string): boolean {
  // No action has a longer path, and a long one would be slow to decode.
  if (path.length > pathLimit) return true
  let text = plainLetters(path)
  // The loop ends, because each pass leaves fewer characters that could be part of an escape.
  while (escapes.test(text)) text = plainLetters(decodeOnce(text))
  return ownGroups.some((group) => text.includes(group))
}

const decodeOnce = (text: string) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    new TextDecoder().decode(Buffer.from(run.replaceAll('%', ''), 'hex')),
  )

/** It goes to upper case first, as some letters (`ı`, `ſ`) have a plain form only there. */
const plainLetters = (text: string) =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replace(/[\p{M}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '')
