import { KeyRound, NotebookPen } from 'lucide-react'
import { Link } from 'react-router'
import { NameField } from '../names/NameField.tsx'
import { useProfile } from '../names/profile.ts'
import { useAccount, useMe } from '../service/session.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { AddressBlocks } from '../seal/AddressBlocks.tsx'
import { linkTo, withChecksum } from './link.ts'
import { QrFigure } from './QrFigure.tsx'
import { ShareLink } from './ShareLink.tsx'
import { Suggestions } from './Suggestions.tsx'

/** Shows what a wallet has before its first conversation: its seal, its name, its link, and where to go. */
export function FirstRun() {
  const me = useMe()
  const { name, picture } = useProfile(me, { mayWait: true })
  const isThrowAway = useAccount()?.kind === 'throw-away'
  return (
    <div className="mx-auto grid w-full max-w-2xl grid-cols-1 gap-8 px-5 py-8 sm:px-8">
      <header className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Avatar seed={me} picture={picture} size="card" />
        <div className="grid min-w-0 flex-1 basis-56 gap-1">
          <h2 className="text-2xl font-semibold tracking-tight wrap-anywhere" dir="auto">
            {name || 'This is your seal'}
          </h2>
          {!name && (
            <p className="text-pretty text-muted">
              It’s drawn from your address. Friends can recognise you by it. Add a name so people can find
              you.
            </p>
          )}
          <AddressBlocks address={withChecksum(me)} />
        </div>
      </header>
      {isThrowAway && (
        <p className="flex gap-3 rounded-2xl bg-warn-soft px-4 py-3 text-pretty">
          <KeyRound className="mt-0.5 size-5 shrink-0 text-warn" aria-hidden="true" />
          <span>
            This wallet’s key is only in this browser.{' '}
            <Link className="text-accent underline" to="/settings/profile#throw-away">
              Save a copy of the key
            </Link>
          </span>
        </p>
      )}
      <div className="grid grid-cols-1 gap-6 sm:grid-cols-[minmax(0,1fr)_13rem]">
        <div className="grid grid-cols-1 content-start gap-6">
          <NameField address={me} />
          <ShareLink label="Your link" link={linkTo(me)} />
        </div>
        <QrFigure link={linkTo(me)} seed={me} label="QR code of your link" caption="Scan to message you" />
      </div>
      <Link
        to={`/dm/${me}`}
        className="flex min-h-16 items-center gap-4 rounded-2xl border border-line bg-surface px-4 py-3 hover:bg-hover"
      >
        <NotebookPen className="size-5 shrink-0 text-accent" aria-hidden="true" />
        <span className="grid">
          <span className="font-medium">Note to self</span>
          <span className="text-sm text-muted">Keep notes. Only you can see them.</span>
        </span>
      </Link>
      <Suggestions />
    </div>
  )
}
