import { type LucideIcon, QrCode, Wallet } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { explain } from './explain.ts'
import { NoWallet } from './NoWallet.tsx'
import { solanaPrefix } from './solana-prefix.ts'
import { loadStandard, useSolanaWallets } from './solana-wallets.ts'
import { type Offer, otherDevice, useWallets, walletConnectId } from './use-wallets.ts'
import { isPhone } from './wallet-apps.ts'

/** What signs is loaded ahead after these milliseconds, or when a wallet is chosen. */
const patience = 3000
const loadSigning = () => import('./wallets.ts')
const signingFor = (id: string) => (id.startsWith(solanaPrefix) ? loadStandard() : loadSigning())

interface Props {
  onDone?: (() => void) | undefined
  onProblem: (problem: string | undefined) => void
}

/** This is the wallet that has a request, and the way to stop waiting for it. */
interface PendingRequest {
  id: string
  stop: AbortController
}

/** Lists the wallets of this browser, and one on another device if that is offered. */
export function WalletList({ onDone, onProblem }: Props) {
  const wallets = [...useWallets(), ...useSolanaWallets()]
  const [pending, setPending] = useState<PendingRequest>()
  useEffect(() => {
    const timer = setTimeout(() => loadSigning().catch(() => {}), patience)
    return () => clearTimeout(timer)
  }, [])
  // Choosing another one, and leaving the page, stop it too.
  useEffect(() => () => pending?.stop.abort(), [pending])
  const cancel = () => setPending(undefined)
  const choose = async (id: string) => {
    const stop = new AbortController()
    setPending({ id, stop })
    onProblem(undefined)
    try {
      const { signInWithWallet } = await signingFor(id)
      stop.signal.throwIfAborted()
      await signInWithWallet(id, stop.signal)
      onDone?.()
    } catch (error) {
      if (stop.signal.aborted) return
      onProblem(explain(error))
    }
    setPending(undefined)
  }
  const button = (wallet: Offer, Icon: LucideIcon) => (
    <WalletButton
      key={wallet.id}
      {...wallet}
      Icon={Icon}
      isPending={pending?.id === wallet.id}
      onChoose={() => void choose(wallet.id)}
      onCancel={cancel}
    />
  )
  return (
    <div className="grid gap-3">
      {(wallets.length > 0 || otherDevice) && (
        <ul className="grid gap-2">
          {wallets.map((wallet) => button(wallet, Wallet))}
          {otherDevice && button(otherDevice, QrCode)}
        </ul>
      )}
      {wallets.length === 0 && <NoWallet />}
    </div>
  )
}

interface ButtonProps extends Offer {
  /** This icon replaces a missing picture of the wallet. */
  Icon: LucideIcon
  /** This is true while the wallet has a request. */
  isPending: boolean
  onChoose: () => void
  onCancel: () => void
}

function WalletButton({ id, name, icon, Icon, isPending, onChoose, onCancel }: ButtonProps) {
  return (
    <li className="grid gap-1">
      <Button variant="primary" className="w-full" busy={isPending} onClick={onChoose}>
        {icon?.startsWith('data:image/') ? (
          <img src={icon} alt="" className="size-6 rounded-md" />
        ) : (
          <Icon className="size-5" aria-hidden="true" />
        )}
        {isPending ? 'Waiting for your wallet…' : `Sign in with ${name}`}
      </Button>
      {isPending && (
        <>
          <p role="status" className="pt-1 text-center text-sm text-pretty text-muted">
            {whereToLook(id)}
          </p>
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        </>
      )}
    </li>
  )
}

function whereToLook(id: string): string {
  if (id === walletConnectId) return 'Approve it on the other device.'
  if (isPhone()) return 'Approve it in your wallet app.'
  return 'Approve it in your wallet. Can’t see it? Click the wallet’s icon in your browser’s toolbar.'
}
