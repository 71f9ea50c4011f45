import { readVisitor } from '../../storeconnect.ts'

/** Where a form writes to: the account of whoever is logged in, or an email to be typed. */
export async function VisitorEmail({ id }: { id: string }) {
  const visitor = await readVisitor()
  if (visitor) return <p>We write to {(await visitor.profile()).email}.</p>
  return (
    <>
      <label htmlFor={id}>Email</label>
      <input autoComplete="email" id={id} maxLength={254} name="email" required type="email" />
    </>
  )
}
