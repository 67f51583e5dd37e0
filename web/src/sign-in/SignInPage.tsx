import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { sessionHasEnded, throwAwayKeys, useAccount, useAccounts } from '../service/session.ts'
import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Logo } from '../ui/Logo.tsx'
import { explain } from './explain.ts'
import { useTitle } from '../state/title.ts'
import { WalletList } from './WalletList.tsx'
import { WalletPreview } from './WalletPreview.tsx'
import { Welcome } from './Welcome.tsx'

interface Props {
  pathname: string
  onDone?: () => void
  onBack?: () => void
}

/** Signs in with a wallet, or with a throw-away key that is created here. */
export function SignInPage({ pathname, onDone, onBack }: Props) {
  const account = useAccount()
  useTitle(account ? 'Add another wallet' : 'Sign in')
  const accounts = useAccounts()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState<string>()
  const signedOut = Object.keys(throwAwayKeys()).filter(
    (key) => !accounts.some(({ address }) => address === key),
  )
  const tryIt = async (address?: string) => {
    setBusy(address ?? 'new')
    setProblem(undefined)
    try {
      const { signInWithThrowAwayKey } = await import('./throw-away.ts')
      await signInWithThrowAwayKey(address ? throwAwayKeys()[address] : undefined)
      onDone?.()
    } catch (error) {
      setProblem(explain(error))
    }
    setBusy(undefined)
  }
  return (
    <main className="scroll-calm grid h-full overflow-y-auto bg-page p-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
      <div className="m-auto grid w-full max-w-sm gap-6 py-8">
        <header className="grid justify-items-center gap-3 text-center">
          {account ? (
            <>
              <Logo className="size-24 p-4" />
              <h1 className="text-2xl font-semibold tracking-tight">Add another wallet</h1>
            </>
          ) : (
            <Welcome pathname={pathname} />
          )}
          {sessionHasEnded() && (
            <p role="status" className="rounded-xl bg-warn-soft px-4 py-2 text-sm text-pretty text-warn">
              You’ve been signed out. Sign in again to continue. Your drafts are still here.
            </p>
          )}
          <p className="text-pretty text-muted">
            Message any wallet. Sign in with one signature. It’s free, and nothing is sent to the blockchain.
          </p>
        </header>
        <div className="grid gap-4 rounded-2xl border border-line bg-surface p-5">
          {signedOut.length > 0 && (
            <div className="grid gap-2">
              {signedOut.map((address) => (
                <Button key={address} busy={busy === address} onClick={() => void tryIt(address)}>
                  <Avatar seed={address} size="small" /> Continue as {shortAddress(address)}
                </Button>
              ))}
            </div>
          )}
          <WalletList onDone={onDone} onProblem={setProblem} />
          <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            or
          </p>
          <div className="grid gap-2">
            <Button busy={busy === 'new'} onClick={() => void tryIt()}>
              <KeyRound className="size-4" aria-hidden="true" /> Try without a wallet
            </Button>
            <p className="text-sm text-pretty text-muted">
              Makes a temporary wallet in this browser, good for trying Parley. Clear the browser’s data and
              it is gone.
            </p>
          </div>
        </div>
        <WalletPreview />
        <p role="alert" className="min-h-6 text-center text-sm text-danger">
          {problem}
        </p>
        {account && (
          <Button variant="quiet" onClick={onBack}>
            Back to {shortAddress(account.address)}
          </Button>
        )}
      </div>
    </main>
  )
}
