import { CsrfInput, readCart, readVisitor, RedirectInput } from '../../storeconnect.ts'

export async function Masthead() {
  const [visitor, cart] = await Promise.all([readVisitor(), readCart()])
  const quantity = cart?.lines.reduce((sum, line) => sum + line.quantity, 0) ?? 0
  return (
    <header className="masthead">
      <p className="brand">
        <a href="/">
          Kettle <span>&amp;</span> Quill
        </a>
      </p>
      <nav aria-label="Main">
        <a href="/#try-it">Try it</a>
        <a href="/admin">Admin</a>
        <a href="/cart">
          Cart <span aria-label={`${quantity} in it`}>({quantity})</span>
        </a>
        {visitor ? <LogoutForm email={visitor.profile.email} /> : <a href="/login">Log in</a>}
      </nav>
    </header>
  )
}

const LogoutForm = ({ email }: { email: string | undefined }) => (
  <form action="/actions/users/logout" method="post">
    <CsrfInput />
    <RedirectInput url="/" />
    <button className="quiet" title={email} type="submit">
      Log out
    </button>
  </form>
)
