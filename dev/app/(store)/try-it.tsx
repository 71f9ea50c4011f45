import type { ShippingCommands } from '../../shipping-commands.ts'

export function TryIt({ commands }: { commands: ShippingCommands }) {
  return (
    <section aria-labelledby="try-it" className="try-it">
      <h2 id="try-it">Try it</h2>
      <ol>
        <li>
          <h3>Look behind the counter</h3>
          <p>
            Orders, sites and the shipping settings are in the <a href="/admin">admin</a>. The
            terminal that runs the store lists who can log in.
          </p>
        </li>
        <li>
          <h3>Pull the orders as XML</h3>
          <p>This is what the shipping platform does every few minutes.</p>
          <Command text={commands.pull} />
        </li>
        <li>
          <h3>Post a shipment</h3>
          {commands.ship ? (
            <>
              <p>The order moves to “shipped” and gets its tracking number.</p>
              <Command text={commands.ship} />
            </>
          ) : (
            <p>No order is waiting to be shipped.</p>
          )}
        </li>
      </ol>
    </section>
  )
}

const Command = ({ text }: { text: string }) => (
  <pre>
    <code>{text}</code>
  </pre>
)
