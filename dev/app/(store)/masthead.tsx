import { CsrfInput, readCart, readSite, readVisitor, RedirectInput } from '../../storeconnect.ts'
import { siteLinks } from './site-links.ts'

export async function Masthead() {
  const [visitor, cart, site, link] = await Promise.all([
    readVisitor(),
    readCart(),
    readSite(),
    siteLinks(),
  ])
  const quantity = cart?.lines.reduce((sum, line) => sum + line.quantity, 0) ?? 0
  return (
    <header className="masthead">
      <p className="brand">
        <a href={link('/')}>
          <Brand name={site?.name ?? 'Kettle & Quill'} />
        </a>
      </p>
      <nav aria-label="Main">
        <a href={link('/cart')}>
          Cart <span aria-label={`${quantity} in it`}>({quantity})</span>
        </a>
        {visitor ? (
          <>
            <a href={link('/account')}>Account</a>
            <LogoutForm link={link} email={(await visitor.profile()).email} />
          </>
        ) : (
          <a href={link('/login')}>Log in</a>
        )}
      </nav>
    </header>
  )
}

/** The site's name, with the sign of the house between its two halves. */
function Brand({ name }: { name: string }) {
  const [before = '', ...after] = name.split('&')
  if (after.length === 0) return name
  return (
    <>
      {before}
      <span>&amp;</span>
      {after.join('&')}
    </>
  )
}

const LogoutForm = ({
  email,
  link,
}: {
  email: string | undefined
  link: (path: string) => string
}) => (
  <form action={link('/actions/users/logout')} method="post">
    <CsrfInput />
    <RedirectInput url={link('/')} />
    <button className="quiet" title={email} type="submit">
      Log out
    </button>
  </form>
)
