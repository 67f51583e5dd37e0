import type { WebSession } from '@parley/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type LucideIcon, Monitor, Smartphone, Store } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { wordsOf } from '../api-keys/scope-labels.ts'
import { HandOverButton } from '../hand-over/HandOverButton.tsx'
import { cache, client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { leave } from '../sign-in/sign-out.ts'
import { useSignOut } from '../sign-in/use-sign-out.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../state/notice.ts'
import { shortDate, shortTime } from '../state/time.ts'

/** Lists the browsers in which the wallet is signed in, and the sites that may do a few things; each can be ended here. */
export function SessionsCard({ address }: { address: string }) {
  const read = query('listSessions', { address })
  const { data, error } = useQuery({ ...read, refetchOnWindowFocus: 'always' })
  const [asking, setAsking] = useState(false)
  const { begin, dialog } = useSignOut(address)
  const end = useMutation({
    mutationFn: (session: string) => client.endSession({ address, session }),
    onSuccess: () => showNotice('Signed out there'),
    onSettled: () => cache.invalidateQueries({ queryKey: read.queryKey }),
  })
  const problem = end.error ?? error
  return (
    <Card title="Where you are signed in">
      <p className="text-sm text-pretty text-muted">
        You stay signed in until you sign out, or don’t use Parley for 30 days.
      </p>
      <ul className="grid gap-1">
        {data?.map((session) => {
          const Row = session.origin === undefined ? SessionRow : SiteRow
          return (
            <Row
              key={session.id}
              session={session}
              busy={end.isPending && end.variables === session.id}
              onEnd={() => end.mutate(session.id)}
            />
          )
        })}
      </ul>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem && describeError(problem)}
      </p>
      <div className="flex flex-wrap gap-2">
        <HandOverButton />
        <Button onClick={begin}>Sign out of this browser</Button>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Sign out everywhere
        </Button>
      </div>
      {dialog}
      {asking && <SignOutEverywhere address={address} onClose={() => setAsking(false)} />}
    </Card>
  )
}

interface RowProps {
  session: WebSession
  busy: boolean
  onEnd: () => void
}

function SessionRow({
  session: { browser, created_at, used_at, current, handed_over_by: by },
  busy,
  onEnd,
}: RowProps) {
  return (
    <Row
      Icon={/\b(Android|iOS)$/.test(browser) ? Smartphone : Monitor}
      name={browser}
      busy={busy}
      onEnd={current ? undefined : onEnd}
    >
      {current ? 'This browser' : `Last used ${shortTime(used_at)}`}, since {shortDate(created_at)}
      {by !== undefined && `, handed over by ${by}`}
    </Row>
  )
}

/** A site that may do a few things, as its visitor has signed. */
const SiteRow = ({ session: { origin = '', scopes, expires_at }, busy, onEnd }: RowProps) => (
  <Row Icon={Store} name={new URL(origin).host} busy={busy} onEnd={onEnd}>
    Only this: {scopes?.map(wordsOf).join('; ')}. Until {shortTime(expires_at ?? '')}
  </Row>
)

interface SignedIn {
  Icon: LucideIcon
  name: string
  /** What is known of it. */
  children: ReactNode
  busy: boolean
  /** Nothing signs this one out here when it is left out. */
  onEnd: (() => void) | undefined
}

const Row = ({ Icon, name, children, busy, onEnd }: SignedIn) => (
  <li className="flex min-h-14 items-center gap-3">
    <Icon className="size-5 shrink-0 text-muted" aria-hidden="true" />
    <span className="grid min-w-0 flex-1">
      <span className="truncate font-medium">{name}</span>
      <span className="text-sm wrap-anywhere text-muted">{children}</span>
    </span>
    {onEnd && (
      <Button busy={busy} aria-label={`Sign out ${name}`} onClick={onEnd}>
        Sign out
      </Button>
    )}
  </li>
)

function SignOutEverywhere({ address, onClose }: { address: string; onClose: () => void }) {
  const everywhere = useMutation({
    mutationFn: () => client.signOutEverywhere(),
    onSuccess: () => leave(address),
  })
  return (
    <Modal title="Sign out everywhere?" onClose={onClose}>
      <p className="text-pretty text-muted">
        Signs out every browser, site and program, including this one. Deletes all API keys, hooks, webhooks,
        suggestions of programs, and drafts in this browser. Turns off notifications by push, Telegram and
        mail, and removes your mail address.
      </p>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {everywhere.error && describeError(everywhere.error)}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Stay signed in</Button>
        <Button variant="danger" busy={everywhere.isPending} onClick={() => everywhere.mutate()}>
          Sign out everywhere
        </Button>
      </div>
    </Modal>
  )
}
