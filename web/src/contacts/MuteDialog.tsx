import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { readInboxAgain } from '../inbox/cache.ts'
import { useMe } from '../service/session.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../state/notice.ts'
import { setContact } from './change.ts'
import { durations, untilOf } from '../state/muted.ts'
import { endMuting, type Mutable } from './muting.ts'

/** Lets the user choose for how long a wallet or a chat is muted. */
export function MuteDialog({ what }: { what: Mutable }) {
  const me = useMe()
  const mute = async (lasts: number | undefined) => {
    endMuting()
    try {
      await muteUntil(me, what, untilOf(lasts))
      showNotice(`Muted. ${what.title} stays in your inbox.`)
    } catch (error) {
      showNotice(describeError(error))
    }
  }
  return (
    <Modal title={`Mute ${what.title}?`} onClose={endMuting}>
      <p className="text-sm text-pretty text-muted">
        You’ll still get messages, without alerts or counts. Nobody can see this.
      </p>
      <div className="grid gap-2">
        {durations.map(({ label, lasts }) => (
          <Button key={label} onClick={() => void mute(lasts)}>
            {label}
          </Button>
        ))}
      </div>
    </Modal>
  )
}

async function muteUntil(me: string, what: Mutable, muted_until: string): Promise<void> {
  if ('peer' in what) return setContact(me, what.peer, { muted_until })
  await client.muteChat({ nftaddr: what.nftaddr, body: { muted_until } })
  readInboxAgain()
}
