import type { Webhook } from '@parley/sdk'
import { client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { Button } from '../ui/Button.tsx'
import { MadeOnce } from '../ui/MadeOnce.tsx'
import { shownSecret } from './NewWebhook.tsx'

async function rotate(id: string): Promise<Webhook> {
  const [rotated] = await client.rotateWebhook({ session: id })
  return rotated!
}

interface Props {
  id: string
  onRotated: () => void
  onClose: () => void
}

/** Gives a webhook another secret, which is shown once. */
export const RotateWebhook = ({ id, onRotated, onClose }: Props) => (
  <MadeOnce title="Change the secret?" make={rotate} show={shownSecret} onMade={onRotated} onClose={onClose}>
    {({ busy, error, onMake }) => (
      <>
        <p>
          The current secret and key stay valid for 24 hours. Give your program the new ones within that time.
        </p>
        <Problem error={error} />
        <Button variant="primary" busy={busy} onClick={() => onMake(id)}>
          Change it
        </Button>
      </>
    )}
  </MadeOnce>
)
