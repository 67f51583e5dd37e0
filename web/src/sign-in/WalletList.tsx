import { Wallet } from 'lucide-react'
import { useState } from 'react'
import { useConnectors, WagmiProvider } from 'wagmi'
import { Button } from '../ui/Button.tsx'
import { explain } from './explain.ts'
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

function Wallets({ onDone, onProblem }: Props) {
  const wallets = useConnectors()
  const [asked, setAsked] = useState<string>()
  const choose = async (id: string) => {
    setAsked(id)
    onProblem(undefined)
    try {
      await signInWithWallet(id)
      onDone()
    } catch (error) {
      onProblem(explain(error))
    }
    setAsked(undefined)
  }
  if (wallets.length === 0)
    return (
      <p className="rounded-xl bg-sunken p-4 text-sm text-pretty text-muted">
        No wallet was found in this browser. Install one as an extension, or open this page in the browser of
        your wallet’s app.
      </p>
    )
  return (
    <ul className="grid gap-2">
      {wallets.map(({ id, name, icon }) => (
        <li key={id}>
          <Button
            variant="primary"
            className="w-full"
            busy={asked === id}
            disabled={asked !== undefined}
            onClick={() => void choose(id)}
          >
            {icon?.startsWith('data:image/') ? (
              <img src={icon} alt="" className="size-6 rounded-md" />
            ) : (
              <Wallet className="size-5" aria-hidden="true" />
            )}
            {asked === id ? 'Look at your wallet…' : `Sign in with ${name}`}
          </Button>
        </li>
      ))}
    </ul>
  )
}
