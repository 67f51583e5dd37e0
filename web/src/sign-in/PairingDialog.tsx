import { Copy, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { BrowserRouter } from 'react-router'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { QrCode } from '../seal/QrCode.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import type { Pairing } from './pairing.ts'
import { isPhone } from './wallet-apps.ts'

/** Shows the code that a wallet on another device reads. */
export function PairingDialog({ uri, giveUp }: Pairing) {
  const [copied, setCopied] = useState(false)
  return (
    <Modal title="A wallet on another device" onClose={giveUp}>
      <p className="text-sm text-pretty text-muted">Scan this with your wallet app, then approve there.</p>
      <div className="grid aspect-square w-full max-w-72 place-items-center justify-self-center rounded-2xl border border-line bg-white">
        {uri ? (
          <QrCode text={uri} label="QR code for your wallet" />
        ) : (
          <Spinner label="Connecting to WalletConnect’s relay" />
        )}
      </div>
      {uri && (
        <div className="flex flex-wrap justify-center gap-2">
          <Button onClick={() => void navigator.clipboard.writeText(uri).then(() => setCopied(true))}>
            <Copy className="size-4" aria-hidden="true" /> {copied ? 'Copied' : 'Copy the code as text'}
          </Button>
          {isPhone() && (
            <a
              href={uri}
              className="inline-flex min-h-11 items-center gap-2 rounded-xl border border-line bg-raised px-4 py-2 font-medium hover:bg-hover"
            >
              <Smartphone className="size-4" aria-hidden="true" /> A wallet on this phone
            </a>
          )}
        </div>
      )}
      <p className="text-xs text-pretty text-muted">
        The code connects both devices through WalletConnect’s relay. The relay sees their IP addresses and
        the time, not what you sign.
      </p>
    </Modal>
  )
}

/** The same on the first page, which has no router. */
export const PairingAlone = (props: Pairing) => (
  <BrowserRouter>
    <PairingDialog {...props} />
  </BrowserRouter>
)
