import { useState } from 'react'
import { useNavigate } from 'react-router'
import { askToReport } from '../moderation/reporting.ts'
import { Button } from '../ui/Button.tsx'
import { tryContact } from './change.ts'
import { decide, type Decision } from './decide.ts'

interface Props {
  me: string
  peer: string
  /** What the reader knows it by. */
  title: string
  standing: 'request' | 'ignored' | 'blocked'
}

const hints = {
  request: (title: string) =>
    `${title} is a stranger to you. It does not see that you read this, and is not told if you ignore or block it.`,
  ignored: (title: string) =>
    `You ignore ${title}: what it writes is kept here, and nothing tells you of it. It does not see that you read it.`,
  blocked: (title: string) =>
    `You have blocked ${title}. What it writes does not reach you, and it is not told.`,
}

/** Stands where the next message is written, until the reader has decided about the one who writes. */
export function DecisionBar({ me, peer, title, standing }: Props) {
  const navigate = useNavigate()
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
        <p className="text-sm text-pretty wrap-anywhere text-muted">{hints[standing](title)}</p>
        <div className="grid grid-cols-2 gap-2 sm:flex">
          {standing === 'blocked' ? (
            <Button
              variant="primary"
              className="max-sm:col-span-2"
              busy={busy}
              onClick={() => void unblock()}
            >
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
                Report and block
              </Button>
            </>
          )}
        </div>
      </div>
    </section>
  )
}
