import { Ban } from 'lucide-react'
import { DataCard } from '../settings/DataCard.tsx'
import { useMe } from '../service/session.ts'
import { AccountMenu } from '../sign-in/AccountMenu.tsx'
import { Card } from '../ui/Card.tsx'
import { shortTime } from '../state/time.ts'
import { useTitle } from '../state/title.ts'
import { Appeal } from '../sanctions/Appeal.tsx'
import type { Forbidden } from '../sanctions/notices.ts'

/** Shows a banned wallet all that it may see: what happened, until when, and what it still can do. */
export function BannedPage({ forbidden }: { forbidden: Forbidden }) {
  const me = useMe()
  useTitle('Banned')
  return (
    <div className="scroll-calm h-full overflow-y-auto bg-page">
      <header className="flex h-16 items-center gap-2 px-3">
        <AccountMenu />
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto grid max-w-xl grid-cols-1 gap-6 px-4 pt-4 pb-[max(2rem,env(safe-area-inset-bottom))] outline-none sm:pt-12"
      >
        <div className="grid justify-items-start gap-3">
          <span
            className="grid size-14 place-items-center rounded-2xl bg-danger-soft text-danger"
            aria-hidden="true"
          >
            <Ban className="size-7" />
          </span>
          <h1 className="text-2xl font-semibold tracking-tight text-balance">
            You are banned from {location.host}
          </h1>
          <p className="text-pretty">
            {forbidden.until ? (
              <>
                It ends on <strong className="font-semibold">{shortTime(forbidden.until)}</strong>. Until then
                you can’t read or send messages.
              </>
            ) : (
              'It has no end. You can’t read or send messages.'
            )}{' '}
            What you have received is kept.
          </p>
          {forbidden.reason && (
            <dl className="grid w-full gap-1 border-s-3 border-danger ps-3">
              <dt className="text-sm text-muted">Reason</dt>
              <dd className="wrap-anywhere">{forbidden.reason}</dd>
            </dl>
          )}
        </div>
        <Card title="Is that wrong?">
          <p className="text-sm text-pretty text-muted">Explain it to the operators. They can end the ban.</p>
          <div>
            <Appeal variant="primary" />
          </div>
        </Card>
        <DataCard address={me} />
      </main>
    </div>
  )
}
