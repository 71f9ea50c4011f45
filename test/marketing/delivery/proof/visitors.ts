import type { Random } from '../../../../dev/seed/random.ts'

/** Something that a visitor posted. */
export interface Post {
  email: string
  /** Counts the posts of this person. */
  step: number
  /** Of its event; undefined for one that only identifies. */
  uniqueId: string | undefined
  /** A list that it adds to, or that it subscribes to. */
  list: string | undefined
  subscribes: boolean
  /** Whether the shop said that it was taken. */
  isAnswered: boolean
}

/** Visitors of a shop, each of them posting one thing after another. Nobody tries anything twice. */
export interface Visitors {
  readonly posts: readonly Post[]
  /** What the shop said to posts that it did not take. */
  readonly refusals: readonly string[]
  /** Where the shop answers. */
  readonly origins: Set<string>
  /** Posts until so many more are answered, and until `during` is over, which may wait for work of the shop. */
  post(count: number, during?: Promise<unknown>): Promise<void>
  /** Resolves when so many more posts are answered there. */
  answered(origin: string, count: number): Promise<void>
  /** Posts that are not answered yet. */
  underWay(origin: string): number
}

export const lists = { added: 'VIPLIST', single: 'WELCOME', double: 'NEWSLTR' } as const

const visitorsAtOnce = 16
const peopleAtOnce = 400

interface Person {
  email: string
  steps: number
}

export function createVisitors({ random, name }: { random: Random; name: string }): Visitors {
  const posts: Post[] = []
  const refusals: string[] = []
  const origins = new Set<string>()
  const underWay = new Map<string, number>()
  const people: Person[] = []
  const watchers = new Set<{ origin: string; left: number; resolve: () => void }>()
  let met = 0
  let form: Promise<Form> | undefined

  const meet = (): Person => ({ email: `${name}-${++met}@example.com`, steps: 0 })
  const takePerson = (): Person => {
    while (people.length < peopleAtOnce) people.push(meet())
    const [person = meet()] = people.splice(random.between(0, people.length - 1), 1)
    return person
  }

  const postOnce = async (): Promise<boolean> => {
    const person = takePerson()
    const origin = random.pick([...origins])
    const post = nextPost(person, random)
    posts.push(post)
    underWay.set(origin, (underWay.get(origin) ?? 0) + 1)
    try {
      form ??= openForm(origin)
      const refusal = await send(origin, await form, post)
      // Nobody knows whether a post was stored that was not answered well. Whether what the same
      // person posts next comes before or behind it is then open too: so they post no more.
      if (refusal !== undefined) {
        refusals.push(refusal)
      } else {
        post.isAnswered = true
        people.push(person)
      }
    } catch {
      // The process was killed.
      form = undefined
      return false
    } finally {
      underWay.set(origin, (underWay.get(origin) ?? 0) - 1)
    }
    for (const watcher of watchers) {
      if (watcher.origin === origin && --watcher.left <= 0) watcher.resolve()
    }
    return true
  }

  return {
    posts,
    refusals,
    underWay: (origin) => underWay.get(origin) ?? 0,
    origins,
    async post(count, during = Promise.resolve()) {
      let toDo = count
      let goesOn = true
      const visit = async (): Promise<void> => {
        while (toDo > 0 || goesOn) {
          toDo -= 1
          if (!(await postOnce())) toDo += 1
        }
      }
      const end = during.finally(() => {
        goesOn = false
      })
      await Promise.all([end, ...Array.from({ length: visitorsAtOnce }, visit)])
    },
    answered: (origin, count) =>
      new Promise((resolve) => {
        const watcher = {
          origin,
          left: count,
          resolve: () => {
            watchers.delete(watcher)
            resolve()
          },
        }
        watchers.add(watcher)
      }),
  }
}

function nextPost(person: Person, random: Random): Post {
  person.steps += 1
  const { email, steps: step } = person
  const isEvent = random.chance(0.8)
  const post = { email, step, isAnswered: false, list: undefined, subscribes: false }
  const about = { ...post, uniqueId: isEvent ? `${email} ${step}` : undefined }
  // A subscription again is a repeat, so each person subscribes once.
  if (step === 1 && random.chance(0.3)) {
    return { ...about, list: random.pick([lists.single, lists.double]), subscribes: true }
  }
  return random.chance(0.15) ? { ...about, list: lists.added } : about
}

/** What a page of the shop gives its forms. */
interface Form {
  token: string
  cookie: string
}

async function openForm(origin: string): Promise<Form> {
  const response = await fetch(`${origin}/actions/users/session-info`)
  if (!response.ok) throw new Error(`The shop has no form: ${response.status}.`)
  const { csrfTokenValue } = (await response.json()) as { csrfTokenValue: string }
  const cookie = response.headers.getSetCookie().map((text) => text.split(';')[0])
  return { token: csrfTokenValue, cookie: cookie.join('; ') }
}

/** Resolves to what the shop has against it. */
async function send(
  origin: string,
  { token, cookie }: Form,
  post: Post,
): Promise<string | undefined> {
  const { email, step, uniqueId, list, subscribes } = post
  const body = new URLSearchParams({
    CSRF_TOKEN: token,
    email,
    'profile[properties][step]': String(step),
    ...(uniqueId !== undefined && { 'event[name]': 'Viewed', 'event[unique_id]': uniqueId }),
    ...(list !== undefined && { list }),
    ...(subscribes && { subscribe: '1' }),
  })
  const action = uniqueId === undefined && list === undefined ? 'identify' : 'track'
  const response = await fetch(`${origin}/actions/marketingconnect/api/${action}`, {
    method: 'POST',
    body,
    headers: { accept: 'application/json', cookie },
  })
  const text = await response.text()
  return response.status === 200 ? undefined : `${response.status} ${text}`
}
