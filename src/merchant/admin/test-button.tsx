import { Notice } from './notice.js'
import { WaitingButton } from './waiting-button.js'

/** A line about what became of a test. */
export type TestLine = { type: 'default' | 'error' | 'success'; text: string }

interface TestButtonProps {
  label: string
  isBusy: boolean
  onPress: () => Promise<void>
  lines: readonly TestLine[]
}

/** A button that tests the settings, and below it what became of the test. */
export const TestButton = ({ label, isBusy, onPress, lines }: TestButtonProps) => (
  <div className="field-type">
    <WaitingButton buttonStyle="secondary" isBusy={isBusy} onClick={() => void onPress()}>
      {label}
    </WaitingButton>
    <div aria-live="polite" role="status">
      {lines.map(({ type, text }) => (
        <Notice key={text} type={type}>
          {text}
        </Notice>
      ))}
    </div>
  </div>
)
