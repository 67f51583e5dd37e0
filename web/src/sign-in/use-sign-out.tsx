import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { countUnsent } from '../thread/entries.ts'
import { signOut } from './sign-out.ts'

const UnsentMessages = lazy(async () => ({ default: (await import('./UnsentMessages.tsx')).UnsentMessages }))

/** Signs a wallet out: at once, or after the dialog if it has messages that were not sent. */
export function useSignOut(address: string): { begin: () => void; dialog: ReactNode } {
  const navigate = useNavigate()
  const [unsent, setUnsent] = useState(0)
  const leave = () => {
    signOut(address)
    void navigate('/')
  }
  const begin = () => {
    const count = countUnsent(address)
    if (count > 0) setUnsent(count)
    else leave()
  }
  const dialog = unsent > 0 && (
    <Suspense>
      <UnsentMessages count={unsent} onStay={() => setUnsent(0)} onLeave={leave} />
    </Suspense>
  )
  return { begin, dialog }
}
