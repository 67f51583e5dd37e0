import type { Problem } from '@parley/react'
import { OpenOwn } from './OpenOwn.tsx'
import type { Place } from './place.ts'
import type { WalletShown } from './protocol.ts'

interface Props {
  place: Place
  wallets: readonly WalletShown[]
  /** The host of the site. */
  host: string
  error: Problem | undefined
  busy: boolean
  /** The page of the client that shows the same. */
  openOwn: string
  choose: (wallet: string) => void
}

const why = {
  dm: 'Sign in with your wallet to write.',
  chat: 'Sign in with your wallet to read and post.',
  comments: 'Sign in with your wallet to read and comment.',
}
const allowed = {
  dm: 'read this conversation and write in it as you',
  chat: 'read this chat and post in it as you',
  comments: 'read these comments and comment here as you',
}

/** Shows the wallets of the site's page, and what the site gets by a sign-in. */
export function SignIn({ place: { kind }, wallets, host, error, busy, openOwn, choose }: Props) {
  return (
    <div className="m-auto grid w-full max-w-sm gap-3 overflow-y-auto p-5">
      <p className="font-medium">{why[kind]}</p>
      <p className="text-sm text-muted">
        Nothing is sent to the blockchain. For 24 hours {host} may {allowed[kind]}, and nothing else.
      </p>
      {wallets.map(({ id, name, icon }) => (
        <button
          key={id}
          type="button"
          disabled={busy}
          className="flex min-h-12 items-center gap-3 rounded-xl border border-line bg-raised px-4 text-start font-medium hover:bg-hover disabled:opacity-55"
          onClick={() => choose(id)}
        >
          {icon.startsWith('data:image/') && <img src={icon} alt="" className="size-6" />}
          <span className="min-w-0 truncate">Sign in with {name}</span>
        </button>
      ))}
      {wallets.length === 0 && (
        <p>No wallet was found in this browser. Install one, or open the page in your wallet’s browser.</p>
      )}
      {busy && (
        <p role="status" className="text-sm">
          Continue in your wallet. It shows what you sign.
        </p>
      )}
      {error && !busy && (
        <p role="alert" className="text-sm text-danger">
          {error.message}
        </p>
      )}
      <OpenOwn className="text-sm text-accent underline underline-offset-2" href={openOwn}>
        Open in Parley
      </OpenOwn>
    </div>
  )
}
