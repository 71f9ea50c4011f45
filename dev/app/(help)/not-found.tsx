export default function NotFound() {
  return (
    <section className="page">
      <h1>There is nothing here</h1>
      <p>
        <a href="/">Back to the shop</a>
      </p>
    </section>
  )
}
