import { type LucideIcon, QrCode, Wallet } from 'lucide-react'
import { useEffect, useState } from 'react'
import { WagmiProvider } from 'wagmi'
import { Button } from '../ui/Button.tsx'
import { explain } from './explain.ts'
import { NoWallet } from './NoWallet.tsx'
import { type Offer, useOtherDevice, useWallets } from './use-wallets.ts'
import { isPhone } from './wallet-apps.ts'
import { walletConnectId } from './walletconnect.ts'
import { config, signInWithWallet } from './wallets.ts'

interface Props {
  onDone: () => void
  onProblem: (problem: string | undefined) => void
}

/** The wallets this browser has, and one on another device where that is offered. */
export function WalletList(props: Props) {
  return (
    <WagmiProvider config={config} reconnectOnMount={false}>
      <Wallets {...props} />
    </WagmiProvider>
  )
}

/** The wallet that is asked, and how to stop waiting for it. */
interface Asked {
  id: string
  stop: AbortController
}

function Wallets({ onDone, onProblem }: Props) {
  const wallets = useWallets()
  const otherDevice = useOtherDevice()
  const [asked, setAsked] = useState<Asked>()
  // Choosing another one, and leaving the page, stop it too.
  useEffect(() => () => asked?.stop.abort(), [asked])
  const cancel = () => setAsked(undefined)
  const choose = async (id: string) => {
    const stop = new AbortController()
    setAsked({ id, stop })
    onProblem(undefined)
    try {
      await signInWithWallet(id, stop.signal)
      onDone()
    } catch (error) {
      if (stop.signal.aborted) return
      onProblem(explain(error))
    }
    setAsked(undefined)
  }
  const button = (wallet: Offer, Icon: LucideIcon) => (
    <WalletButton
      key={wallet.id}
      {...wallet}
      Icon={Icon}
      isAsked={asked?.id === wallet.id}
      onChoose={() => void choose(wallet.id)}
      onCancel={cancel}
    />
  )
  return (
    <div className="grid gap-3">
      {wallets.length === 0 && <NoWallet />}
      <ul className="grid gap-2">
        {wallets.map((wallet) => button(wallet, Wallet))}
        {otherDevice && button(otherDevice, QrCode)}
      </ul>
    </div>
  )
}

interface ButtonProps extends Offer {
  /** Shown where the wallet has no picture. */
  Icon: LucideIcon
  /** Whether the wallet is being asked. */
  isAsked: boolean
  onChoose: () => void
  onCancel: () => void
}

function WalletButton({ id, name, icon, Icon, isAsked, onChoose, onCancel }: ButtonProps) {
  return (
    <li className="grid gap-1">
      <Button variant="primary" className="w-full" busy={isAsked} onClick={onChoose}>
        {icon?.startsWith('data:image/') ? (
          <img src={icon} alt="" className="size-6 rounded-md" />
        ) : (
          <Icon className="size-5" aria-hidden="true" />
        )}
        {isAsked ? 'Look at your wallet…' : `Sign in with ${name}`}
      </Button>
      {isAsked && (
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
  if (id === walletConnectId) return 'Answer on the other device.'
  if (isPhone()) return 'Answer in your wallet. Nothing to see? Open its app.'
  return 'Answer in the window of your wallet. Nothing to see? Click its icon in the browser, and unlock it.'
}
