import { Wallet } from 'lucide-react'
import { useEffect, useState } from 'react'
import { WagmiProvider } from 'wagmi'
import { Button } from '../ui/Button.tsx'
import { explain } from './explain.ts'
import { NoWallet } from './NoWallet.tsx'
import { useWallets } from './use-wallets.ts'
import { isPhone } from './wallet-apps.ts'
import { config, signInWithWallet } from './wallets.ts'

interface Props {
  onDone: () => void
  onProblem: (problem: string | undefined) => void
}

/** The wallets this browser has. */
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
  if (wallets.length === 0) return <NoWallet />
  return (
    <ul className="grid gap-2">
      {wallets.map(({ id, name, icon }) => (
        <li key={id} className="grid gap-1">
          <Button
            variant="primary"
            className="w-full"
            busy={asked?.id === id}
            onClick={() => void choose(id)}
          >
            {icon?.startsWith('data:image/') ? (
              <img src={icon} alt="" className="size-6 rounded-md" />
            ) : (
              <Wallet className="size-5" aria-hidden="true" />
            )}
            {asked?.id === id ? 'Look at your wallet…' : `Sign in with ${name}`}
          </Button>
          {asked?.id === id && (
            <>
              <p role="status" className="pt-1 text-center text-sm text-pretty text-muted">
                {isPhone()
                  ? 'Answer in your wallet. Nothing to see? Open its app.'
                  : 'Answer in the window of your wallet. Nothing to see? Click its icon in the browser, and unlock it.'}
              </p>
              <Button variant="quiet" onClick={cancel}>
                Cancel
              </Button>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
