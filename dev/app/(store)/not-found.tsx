import { siteLinks } from './site-links.ts'

export default async function NotFound() {
  const link = await siteLinks()
  return (
    <section className="page">
      <title>Not found</title>
      <h1>There is nothing here</h1>
      <p>
        The page may have moved, or was never there. <a href={link('/')}>Back to the shop</a>
      </p>
    </section>
  )
}
