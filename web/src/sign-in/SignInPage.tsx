import { KeyRound } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { sessionHasEnded, throwAwayKeys, useAccount, useAccounts } from '../service/session.ts'
import { shortAddress } from '../ui/address.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { canGoBack } from '../ui/back.ts'
import { Button } from '../ui/Button.tsx'
import { Logo } from '../ui/Logo.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { explain } from './explain.ts'
import { useTitle } from '../ui/title.ts'
import { Welcome } from './Welcome.tsx'

const WalletList = lazy(async () => ({ default: (await import('./WalletList.tsx')).WalletList }))

/** Sign-in with a wallet, or with a throw-away key that is created here. */
export function SignInPage() {
  const account = useAccount()
  useTitle(account ? 'Add another wallet' : 'Sign in')
  const accounts = useAccounts()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState<string>()
  const kept = Object.keys(throwAwayKeys()).filter((key) => !accounts.some(({ address }) => address === key))
  const done = () => {
    if (pathname === '/sign-in') void navigate('/', { replace: true })
  }
  const tryIt = async (address?: string) => {
    setBusy(address ?? 'new')
    setProblem(undefined)
    try {
      const { signInWithThrowAwayKey } = await import('./throw-away.ts')
      await signInWithThrowAwayKey(address ? throwAwayKeys()[address] : undefined)
      done()
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
              Your sign-in has ended. Sign in again; what you were writing is kept.
            </p>
          )}
          <p className="text-pretty text-muted">
            Parley is for messages between wallets. Signing in is one signature: no password, no transaction,
            no cost.
          </p>
        </header>
        <div className="grid gap-4 rounded-2xl border border-line bg-surface p-5">
          <Suspense
            fallback={
              <div className="grid min-h-11 place-items-center">
                <Spinner label="Looking for wallets" />
              </div>
            }
          >
            <WalletList onDone={done} onProblem={setProblem} />
          </Suspense>
          <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            or
          </p>
          <div className="grid gap-2">
            {kept.map((address) => (
              <Button key={address} busy={busy === address} onClick={() => void tryIt(address)}>
                <Avatar seed={address} size="small" /> Continue as {shortAddress(address)}
              </Button>
            ))}
            <Button busy={busy === 'new'} onClick={() => void tryIt()}>
              <KeyRound className="size-4" aria-hidden="true" /> Try it with a throw-away key
            </Button>
            <p className="text-sm text-pretty text-muted">
              A new key, kept in this browser only. Use it to try Parley: anybody who uses this browser can
              use it, and it is lost when the browser’s data is cleared.
            </p>
          </div>
        </div>
        <p role="alert" className="min-h-6 text-center text-sm text-danger">
          {problem}
        </p>
        {account && (
          <Button
            variant="quiet"
            onClick={() => void (canGoBack() ? navigate(-1) : navigate('/', { replace: true }))}
          >
            Back to {shortAddress(account.address)}
          </Button>
        )}
      </div>
    </main>
  )
}
