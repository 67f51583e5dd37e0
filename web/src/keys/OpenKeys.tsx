import { SwitchField } from '../ui/SwitchField.tsx'
import { Button } from '../ui/Button.tsx'
import { type Keyring, missingKeys } from './keyring.ts'
import { NewKey } from './NewKey.tsx'
import { OtherDevices } from './OtherDevices.tsx'
import { storeAgain, switchEncryption } from './setup.ts'
import { Unlock } from './Unlock.tsx'
import { useAttempt } from './use-attempt.ts'

/** What can be done with keys that are open on this device. */
export function OpenKeys({ ring }: { ring: Extract<Keyring, { state: 'open' }> }) {
  const { busy, problem, attempt } = useAttempt()
  const missing = missingKeys(ring).length
  return (
    <>
      <SwitchField
        label="Encrypt direct messages"
        hint="With everybody who has it on too. Older messages stay readable."
        checked={ring.on}
        busy={busy}
        onChange={(on) => void attempt(() => switchEncryption(on))}
      />
      {ring.lost && (
        <div className="grid gap-2 rounded-xl bg-warn-soft p-3 text-warn">
          <p className="text-pretty">
            The service no longer has all of your keys, or shows others another one. Others may not be able to
            encrypt to you, and other devices not to open your messages.
          </p>
          <Button busy={busy} onClick={() => void attempt(storeAgain)}>
            Store them again
          </Button>
        </div>
      )}
      <OtherDevices ring={ring} />
      {missing > 0 && (
        <>
          <p className="text-pretty text-muted">
            {missing === 1 ? 'One older key is' : `${missing} older keys are`} not open on this device.
          </p>
          <Unlock ring={ring} />
        </>
      )}
      <p className="text-sm wrap-anywhere text-muted">
        Your key: <code>{ring.signed.key}</code>
      </p>
      <NewKey label="Make a new key" />
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem}
      </p>
    </>
  )
}
