import type { WebSession } from '@parley/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone, Store } from 'lucide-react'
import { useState } from 'react'
import { wordsOf } from '../api-keys/scope-labels.ts'
import { cache, client, describeError, query } from '../service/api.ts'
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

function SessionRow({ session: { browser, created_at, used_at, current }, busy, onEnd }: RowProps) {
  const Icon = /\b(Android|iOS)$/.test(browser) ? Smartphone : Monitor
  return (
    <li className="flex min-h-14 items-center gap-3">
      <Icon className="size-5 shrink-0 text-muted" aria-hidden="true" />
      <span className="grid min-w-0 flex-1">
        <span className="truncate font-medium">{browser}</span>
        <span className="text-sm text-muted">
          {current ? 'This browser' : `Last used ${shortTime(used_at)}`}, since {shortDate(created_at)}
        </span>
      </span>
      {!current && (
        <Button busy={busy} aria-label={`Sign out ${browser}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  )
}

/** A site that may do a few things, as its visitor has signed. */
function SiteRow({ session: { origin = '', scopes, expires_at }, busy, onEnd }: RowProps) {
  const { host } = new URL(origin)
  return (
    <li className="flex min-h-14 items-center gap-3">
      <Store className="size-5 shrink-0 text-muted" aria-hidden="true" />
      <span className="grid min-w-0 flex-1">
        <span className="truncate font-medium">{host}</span>
        <span className="text-sm wrap-anywhere text-muted">
          Only this: {scopes?.map(wordsOf).join('; ')}. Until {shortTime(expires_at ?? '')}
        </span>
      </span>
      <Button busy={busy} aria-label={`Sign out ${host}`} onClick={onEnd}>
        Sign out
      </Button>
    </li>
  )
}

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
