import { useState } from 'react'
import { useNavigate } from 'react-router'
import { askToReport } from '../moderation/reporting.ts'
import { Button } from '../ui/Button.tsx'
import { useSmallScreen } from '../state/small-screen.ts'
import { tryContact } from './change.ts'
import { decide, type Decision } from './decide.ts'
import { hints } from './hints.ts'

interface Props {
  me: string
  peer: string
  /** The reader knows the wallet by this name. */
  title: string
  standing: 'request' | 'ignored' | 'blocked'
}

/** Takes the place of the field for messages until the reader has decided about the sender. */
export function DecisionBar({ me, peer, title, standing }: Props) {
  const navigate = useNavigate()
  // On a small screen the card shows it, because the card scrolls.
  const isSmall = useSmallScreen()
  const [busy, setBusy] = useState(false)
  const act = async (decision: Decision) => {
    setBusy(true)
    const before = standing === 'ignored' ? 'ignored' : 'unknown'
    const isDone = await decide(decision, { me, peer, title, before })
    setBusy(false)
    if (isDone && decision !== 'accept') void navigate('/requests', { replace: true })
  }
  const unblock = async () => {
    setBusy(true)
    await tryContact(me, peer, { blocked: false })
    setBusy(false)
  }
  return (
    <section
      aria-label={standing === 'request' ? 'Request' : 'Decision'}
      className="border-t border-line bg-surface px-3 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-4"
    >
      <div className="mx-auto grid max-w-3xl gap-3">
        {!(isSmall && standing !== 'blocked') && (
          <p className="text-sm text-pretty wrap-anywhere text-muted">{hints[standing](title)}</p>
        )}
        <div className="flex gap-2 max-sm:gap-1.5 max-sm:*:flex-auto max-sm:*:px-2 max-sm:*:text-sm">
          {standing === 'blocked' ? (
            <Button variant="primary" busy={busy} onClick={() => void unblock()}>
              Unblock
            </Button>
          ) : (
            <>
              <Button variant="primary" busy={busy} onClick={() => void act('accept')}>
                Accept
              </Button>
              {standing === 'request' && (
                <Button busy={busy} onClick={() => void act('ignore')}>
                  Ignore
                </Button>
              )}
              <Button variant="danger" busy={busy} onClick={() => void act('block')}>
                Block
              </Button>
              <Button variant="danger" busy={busy} onClick={() => askToReport({ peer, title, block: true })}>
                <span>
                  Report<span className="max-sm:sr-only"> and block</span>
                </span>
              </Button>
            </>
          )}
        </div>
      </div>
    </section>
  )
}
