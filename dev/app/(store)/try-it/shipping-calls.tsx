import type { ShippingCommands } from '../../../shipping-commands.ts'

/** What ShipStation does, to paste into a shell. */
export const ShippingCalls = ({ commands }: { commands: ShippingCommands }) => (
  <>
    <h2>Pull the orders as XML</h2>
    <p>This is what ShipStation does every few minutes.</p>
    <Command text={commands.pull} />
    <h2>Post a shipment</h2>
    {commands.ship ? (
      <>
        <p>The order moves to “shipped” and gets its tracking number.</p>
        <Command text={commands.ship} />
      </>
    ) : (
      <p>No order is waiting to be shipped.</p>
    )}
  </>
)

const Command = ({ text }: { text: string }) => (
  <pre>
    <code>{text}</code>
  </pre>
)
