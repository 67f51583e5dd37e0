import { Fingerprint } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { explain } from './explain.ts'

/** What opens a passkey is loaded ahead after these milliseconds: some browsers show one only right after a click. */
const patience = 3000
const loadGuest = () => import('./guest.ts')

interface Props {
  onDone?: (() => void) | undefined
  onProblem: (problem: string | undefined) => void
}

/** Makes an account that a passkey opens, or opens one. */
export function PasskeyDoor({ onDone, onProblem }: Props) {
  const [pending, setPending] = useState<'new' | 'own'>()
  useEffect(() => {
    const timer = setTimeout(() => loadGuest().catch(() => {}), patience)
    return () => clearTimeout(timer)
  }, [])
  const go = async (which: 'new' | 'own') => {
    setPending(which)
    onProblem(undefined)
    try {
      const { signInAsGuest, signInAsNewGuest } = await loadGuest()
      await (which === 'new' ? signInAsNewGuest() : signInAsGuest())
      onDone?.()
    } catch (error) {
      onProblem(explain(error))
    }
    setPending(undefined)
  }
  return (
    <div className="grid gap-2">
      <Button busy={pending === 'new'} onClick={() => void go('new')}>
        <Fingerprint className="size-4" aria-hidden="true" /> Continue with a passkey
      </Button>
      <p className="text-sm text-pretty text-muted">
        No wallet needed: your face, fingerprint or PIN opens a new account, on all devices that have the
        passkey. It’s not for money: don’t send coins or NFTs to it.
      </p>
      <Button variant="quiet" busy={pending === 'own'} onClick={() => void go('own')}>
        I already have a passkey here
      </Button>
    </div>
  )
}
