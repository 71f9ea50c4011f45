import { CsrfInput, readVisitor } from '../../../storeconnect.ts'

export default async function LoginPage() {
  const visitor = await readVisitor()
  if (visitor) {
    return (
      <section className="page">
        <h1>Welcome back</h1>
        <p>
          You are logged in as {visitor.profile.email}. <a href="/">To the shop</a>
        </p>
      </section>
    )
  }
  return (
    <section className="page">
      <h1>Log in</h1>
      <form action="/actions/users/login" className="stacked" method="post">
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
