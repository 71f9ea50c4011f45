/** Groups of actions that only Storeconnect has, and no post is forwarded to (`decisions.md`). */
const ownGroups = ['shippingconnect', 'marketingconnect']

/** The longest path of an action. */
export const pathLimit = 200

const escapes = /%[0-9a-f]{2}/i

/**
 * Whether a path names an action that is ours alone, however it is spelled: in another case, with
 * other slashes and dots, encoded several times, in letters that look alike, with marks between.
 */
export function namesOwnAction(path: string): boolean {
  // Beyond every path there is: nothing to decode at length.
  if (path.length > pathLimit) return true
  let text = plainLetters(path)
  // Ends, as each round leaves fewer characters that could be part of an escape.
  while (escapes.test(text)) text = plainLetters(decodeOnce(text))
  return ownGroups.some((group) => text.includes(group))
}

const decodeOnce = (text: string) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    new TextDecoder().decode(Buffer.from(run.replaceAll('%', ''), 'hex')),
  )

/**
 * The letters alone: compatible forms made one, marks and what is not shown taken out. Upper case
 * first, as some letters (`ı`, `ſ`) have a plain one only there.
 */
const plainLetters = (text: string) =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replace(/[\p{M}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '')
