import { randomBytes } from 'node:crypto'
import { sealData, unsealData } from 'iron-session'
import { realEffects } from '../src/core/effects.js'
import { createSessions } from '../src/core/http/sessions.js'
import { shown, tell } from './goals.js'
import { interleave } from './interleave.js'

// What a session costs each request: with `jose`, as it is, and with `iron-session`, as it was.
const times = 500
const secret = 'a secret of the store'
const data = { id: randomBytes(24).toString('base64url'), cartId: 12 }

const sessions = createSessions({ secret, effects: realEffects })
const url = 'http://shop.example/'
const open = (cookie: string) => sessions.open({ url, headers: new Headers({ cookie }) })
async function write(): Promise<string> {
  const session = await open('')
  session.change(data)
  return String(await session.cookie())
    .split(';', 1)
    .join('')
}

const password = randomBytes(32).toString('hex')
const seal = () => sealData({ expires: 1e15, data }, { password, ttl: 0 })

const cookie = await write()
const sealed = await seal()
const read = (await open(cookie)).data.id
const unsealed = (await unsealData<{ data: typeof data }>(sealed, { password, ttl: 0 })).data.id
if (read !== data.id || unsealed !== data.id) throw new Error('A cookie was not read.')
const repeated = (name: string, run: () => Promise<unknown>) => ({
  name,
  async run() {
    for (let count = 0; count < times; count++) await run()
    return times
  },
})
const results = await interleave(
  [
    repeated('jose: read a cookie', () => open(cookie)),
    repeated('iron-session: read a cookie', () => unsealData(sealed, { password, ttl: 0 })),
    repeated('jose: write a cookie', write),
    repeated('iron-session: write a cookie', seal),
  ],
  { rounds: 9, work: times },
)
console.log('\nwhat a session costs a request')
for (const { name, medianMs } of results) {
  tell(name, `${((medianMs / times) * 1000).toFixed(1)} µs`)
}
console.log('\ncharacters of a cookie')
tell('jose', shown(cookie.length))
tell('iron-session', shown('storeconnect='.length + sealed.length))
