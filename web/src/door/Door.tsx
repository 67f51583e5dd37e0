import { NotebookPen } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { NameField } from '../names/NameField.tsx'
import { useProfile } from '../names/profile.ts'
import { useMe } from '../service/session.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { AddressBlocks } from '../ui/AddressBlocks.tsx'
import { linkTo, withChecksum } from './link.ts'
import { OwnLink } from './OwnLink.tsx'
import { Suggestions } from './Suggestions.tsx'

const QrCode = lazy(async () => ({ default: (await import('../ui/QrCode.tsx')).QrCode }))

/** What a wallet has before it has a conversation: its seal, its name, the link to it, and where to go. */
export function Door() {
  const me = useMe()
  const { name, picture } = useProfile(me)
  return (
    <div className="mx-auto grid w-full max-w-2xl grid-cols-1 gap-8 px-5 py-8 sm:px-8">
      <header className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Avatar seed={me} picture={picture} size="card" />
        <div className="grid min-w-0 flex-1 basis-56 gap-1">
          <p className="text-2xl font-semibold tracking-tight wrap-anywhere" dir="auto">
            {name || 'This is your seal'}
          </p>
          {!name && (
            <p className="text-pretty text-muted">
              It is drawn from your address, and no other wallet has it. With a name, people find you sooner.
            </p>
          )}
          <AddressBlocks address={withChecksum(me)} />
        </div>
      </header>
      <div className="grid grid-cols-1 gap-6 sm:grid-cols-[minmax(0,1fr)_13rem]">
        <div className="grid grid-cols-1 content-start gap-6">
          <NameField address={me} />
          <OwnLink address={me} />
        </div>
        <figure className="grid max-w-52 grid-cols-1 content-start gap-2 justify-self-center sm:justify-self-auto">
          <div className="aspect-square rounded-2xl border border-line bg-white">
            <Suspense>
              <QrCode text={linkTo(me)} seed={me} label="QR code of your link" />
            </Suspense>
          </div>
          <figcaption className="text-center text-sm text-balance text-muted">
            Who scans it can write to you.
          </figcaption>
        </figure>
      </div>
      <Link
        to={`/dm/${me}`}
        className="flex min-h-16 items-center gap-4 rounded-2xl border border-line bg-surface px-4 py-3 hover:bg-hover"
      >
        <NotebookPen className="size-5 shrink-0 text-accent" aria-hidden="true" />
        <span className="grid">
          <span className="font-medium">Write to yourself</span>
          <span className="text-sm text-muted">A place for notes, and a way to try it out.</span>
        </span>
      </Link>
      <Suggestions />
    </div>
  )
}
