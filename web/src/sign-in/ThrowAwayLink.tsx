import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { isHex, size } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { explain } from './explain.ts'
import { signInWithThrowAwayKey } from './throw-away.ts'

/**
 * Handles a link whose fragment is a private key, as the demo prints it: /throw-away?to=/dm/0x…#0x…. Nobody is signed
 * in without a question: a stranger's link would make its reader write as a wallet that the stranger has too.
 */
export function ThrowAwayLink() {
  const { hash } = useLocation()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const key = keyIn(hash)
  const goOn = async () => {
    setBusy(true)
    try {
      await signInWithThrowAwayKey(key)
      void navigate(pathIn(search.get('to') ?? '/'), { replace: true })
    } catch (error) {
      setProblem(explain(error))
      setBusy(false)
    }
  }
  return (
    <main className="grid h-full overflow-y-auto bg-page p-4">
      <div className="m-auto grid w-full max-w-sm justify-items-center gap-5 py-8 text-center">
        {key ? (
          <>
            <Avatar seed={addressOf(key)} size="large" />
            <h1 className="text-2xl font-semibold tracking-tight">
              Continue as {shortAddress(addressOf(key))}?
            </h1>
            <p className="text-pretty text-muted">
              This link contains a temporary wallet. Anyone with the link can use it, so don’t keep anything
              here.
            </p>
            <Button variant="primary" busy={busy} onClick={() => void goOn()}>
              Continue with this wallet
            </Button>
          </>
        ) : (
          <>
            <h1 className="text-2xl font-semibold tracking-tight">No wallet in this link</h1>
            <p className="text-pretty text-muted">
              The link is incomplete. Copy the whole line that the demo printed.
            </p>
          </>
        )}
        <Button variant="quiet" onClick={() => void navigate('/', { replace: true })}>
          Go to the start page
        </Button>
        <p role="alert" className="min-h-6 text-sm text-danger">
          {problem}
        </p>
      </div>
    </main>
  )
}

/** Returns a path of this page; the start page when it leads elsewhere. */
function pathIn(to: string): string {
  const url = new URL(to, location.origin)
  return url.origin === location.origin ? url.pathname : '/'
}

const addressOf = (key: `0x${string}`) => privateKeyToAccount(key).address.toLowerCase()

/** Returns the private key in a fragment. Not every sequence of 32 bytes is one. */
function keyIn(hash: string): `0x${string}` | undefined {
  const key = hash.slice(1)
  if (!isHex(key) || size(key) !== 32) return undefined
  try {
    addressOf(key)
    return key
  } catch {
    return undefined
  }
}
