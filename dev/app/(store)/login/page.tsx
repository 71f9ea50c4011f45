import type { Metadata } from 'next'
import { CsrfInput, readVisitor } from '../../../storeconnect.ts'
import { siteLinks } from '../site-links.ts'

export const metadata: Metadata = { title: 'Log in' }

export default async function LoginPage() {
  const [visitor, link] = await Promise.all([readVisitor(), siteLinks()])
  if (visitor) {
    return (
      <section className="page">
        <h1>Welcome back</h1>
        <p>
          You are logged in as {(await visitor.profile()).email}.{' '}
          <a href={link('/account')}>Your orders</a> · <a href={link('/')}>To the shop</a>
        </p>
      </section>
    )
  }
  return (
    <section className="page">
      <h1>Log in</h1>
      {/* No redirect: whoever was sent here goes back to where they came from. */}
      <form action={link('/actions/users/login')} className="stacked" method="post">
        <CsrfInput />
        <label htmlFor="email">Email</label>
        <input autoComplete="username" id="email" name="email" required type="email" />
        <label htmlFor="password">Password</label>
        <input
          autoComplete="current-password"
          id="password"
          name="password"
          required
          type="password"
        />
        <button type="submit">Log in</button>
      </form>
    </section>
  )
}
