import { SwitchField } from '../../ui/SwitchField.tsx'
import { Button } from '../../ui/Button.tsx'
import { serviceHost } from '../state/host.ts'
import { type Keyring, missingKeys } from '../state/keyring.ts'
import { NewKey } from './NewKey.tsx'
import { PasskeyUnlock } from './PasskeyUnlock.tsx'
import { OtherDevices } from './OtherDevices.tsx'
import { storeAgain, switchEncryption } from '../state/setup.ts'
import { Unlock } from './Unlock.tsx'
import { useAttempt } from './use-attempt.ts'

/** Shows what can be done with keys that are open on this device. */
export function OpenKeys({ ring }: { ring: Extract<Keyring, { state: 'open' }> }) {
  const { busy, problem, attempt } = useAttempt()
  const missing = missingKeys(ring).length
  return (
    <>
      <SwitchField
        label="Encrypt direct messages"
        hint="With everyone who has it on. Old messages stay readable."
        checked={ring.on}
        busy={busy}
        onChange={(on) => void attempt(() => switchEncryption(on))}
      />
      {ring.lost && (
        <div className="grid gap-2 rounded-xl bg-warn-soft p-3 text-warn">
          <p className="text-pretty">
            {serviceHost} has lost a key of yours, or shows others another one. People may not be able to
            encrypt to you, and your other devices may not open your messages.
          </p>
          <Button busy={busy} onClick={() => void attempt(storeAgain)}>
            Store them again
          </Button>
        </div>
      )}
      <OtherDevices ring={ring} />
      <PasskeyUnlock ring={ring} />
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
