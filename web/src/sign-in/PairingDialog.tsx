import { Copy, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { QrCode } from '../ui/QrCode.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import type { Pairing } from './pairing.ts'
import { isPhone } from './wallet-apps.ts'

/** The code that a wallet on another device reads. */
export function PairingDialog({ uri, giveUp }: Pairing) {
  const [copied, setCopied] = useState(false)
  return (
    <Modal title="A wallet on another device" onClose={giveUp}>
      <p className="text-sm text-pretty text-muted">
        Open your wallet on the other device and scan this code with it. Then answer there.
      </p>
      <div className="grid aspect-square w-full max-w-72 place-items-center justify-self-center rounded-2xl border border-line bg-white">
        {uri ? (
          <QrCode text={uri} label="QR code for your wallet" />
        ) : (
          <Spinner label="Reaching the relay of WalletConnect" />
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
        The two devices meet at the relay of WalletConnect. It sees their network addresses, and when
        something is signed; not what, and not by which wallet.
      </p>
    </Modal>
  )
}
