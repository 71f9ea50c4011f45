import crypto, { pbkdf2, pbkdf2Sync } from 'node:crypto'

// Before every file with stores. Payload spends 600,000 rounds on a password, a fifth of a second each
// time; a thousandth of them tells a right one from a wrong one as well.
const some = (rounds: number) => Math.ceil(rounds / 1_000)

Object.assign(crypto, {
  pbkdf2(...[password, salt, rounds, ...rest]: Parameters<typeof pbkdf2>) {
    pbkdf2(password, salt, some(rounds), ...rest)
  },
  pbkdf2Sync: (...[password, salt, rounds, ...rest]: Parameters<typeof pbkdf2Sync>) =>
    pbkdf2Sync(password, salt, some(rounds), ...rest),
})
