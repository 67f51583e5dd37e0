import { fullStatement } from '@parley/sdk/sign-in-text.ts'
import { KeyRound } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { sessionHasEnded, throwAwayKeys, useAccount, useAccounts } from '../service/session.ts'
import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { goBack } from '../state/back.ts'
import { Button } from '../ui/Button.tsx'
import { Logo } from '../ui/Logo.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { explain } from './explain.ts'
import { useTitle } from '../state/title.ts'
import { Welcome } from './Welcome.tsx'

const WalletList = lazy(async () => ({ default: (await import('./WalletList.tsx')).WalletList }))

/** Signs in with a wallet, or with a throw-away key that is created here. */
export function SignInPage() {
  const account = useAccount()
  useTitle(account ? 'Add another wallet' : 'Sign in')
  const accounts = useAccounts()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState<string>()
  const signedOut = Object.keys(throwAwayKeys()).filter(
    (key) => !accounts.some(({ address }) => address === key),
  )
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
          <Suspense
            fallback={
              <div className="grid min-h-11 place-items-center in-data-walletless:min-h-28 in-data-walletless:pointer-coarse:min-h-84">
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
            <Button busy={busy === 'new'} onClick={() => void tryIt()}>
              <KeyRound className="size-4" aria-hidden="true" /> Try without a wallet
            </Button>
            <p className="text-sm text-pretty text-muted">
              Makes a temporary wallet in this browser, good for trying Parley. Clear the browser’s data and
              it is gone.
            </p>
          </div>
        </div>
        <Signed />
        <p role="alert" className="min-h-6 text-center text-sm text-danger">
          {problem}
        </p>
        {account && (
          <Button variant="quiet" onClick={() => goBack(navigate)}>
            Back to {shortAddress(account.address)}
          </Button>
        )}
      </div>
    </main>
  )
}

/** Shows the text that a wallet has to sign, so that users notice another one in its place. */
const Signed = () => (
  <details className="text-sm text-muted">
    <summary className="min-h-6 w-fit cursor-pointer">
      What you sign for <strong className="text-ink wrap-anywhere">{location.host}</strong>
    </summary>
    <p className="mt-2 rounded-xl bg-sunken px-4 py-3 font-mono text-xs wrap-anywhere whitespace-pre-line">
      {`${location.host} wants you to sign in with your Ethereum account:
0x… (your address)

${fullStatement}

URI, chain, a code that is used once, and two times follow.`}
    </p>
    <p className="mt-2 text-pretty">
      If your wallet shows another site, decline.{' '}
      <a className="text-accent underline" href="/docs/security">
        How signing in is safe
      </a>
    </p>
  </details>
)
