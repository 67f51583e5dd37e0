import { Copy, ShieldAlert, ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useName } from '../../names/profile.ts'
import { shortAddress } from '../../seal/address.ts'
import { QrCode } from '../../seal/QrCode.tsx'
import { Button } from '../../ui/Button.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { copy } from '../../state/notice.ts'
import { type KeyPairOfTwo, keysOfTwo } from '../state/channel.ts'
import { serviceHost } from '../state/host.ts'
import { type Keyring, useKeyring } from '../state/keyring.ts'
import { noteCompared, noteKey } from '../state/known.ts'
import { type PeerKey, usePeerKey } from '../state/peer.ts'
import { safetyNumber } from '../crypto/safety-number.ts'
import { hideNumber } from '../state/shown-number.ts'

/** Shows the number that the reader and a peer compare, and whether they have. */
export function SafetyNumber({ peer }: { peer: string }) {
  const ring = useKeyring()
  const peerKey = usePeerKey(peer)
  const { name } = useName(peer)
  const title = name || shortAddress(peer)
  const keys = keysOfTwo(ring, peerKey)
  return (
    <Modal title="Safety number" onClose={hideNumber}>
      {keys && 'address' in ring ? (
        <Compare me={ring.address} {...{ peer, title, peerKey, keys }} />
      ) : (
        <p className="text-pretty text-muted">{whyNone(ring, peerKey, title)}</p>
      )}
    </Modal>
  )
}

interface Props {
  me: string
  peer: string
  title: string
  peerKey: PeerKey
  keys: KeyPairOfTwo
}

function Compare({ me, peer, title, peerKey: { known }, keys: { mine, theirs, isCompared } }: Props) {
  const [blocks, setBlocks] = useState<string[]>()
  useEffect(() => {
    let current = true
    const sides = [
      { address: me, key: mine },
      { address: peer, key: theirs },
    ] as const
    void safetyNumber(serviceHost, ...sides).then((number) => current && setBlocks(number))
    return () => {
      current = false
    }
  }, [me, mine, peer, theirs])
  const isChanged = known !== undefined && known.key !== theirs
  const mark = () => {
    if (!known || isChanged) noteKey(peer, 'accepted', theirs)
    noteCompared(peer, mine)
  }
  return (
    <>
      {isChanged && (
        <p className="flex items-start gap-2 rounded-xl bg-warn-soft p-3 text-sm text-pretty text-warn">
          <ShieldAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          {title} has a new encryption key, so this number is new too.
        </p>
      )}
      <p className="text-pretty text-muted">
        Compare this with {title} in person or on a call. If it matches, nobody can read along.
      </p>
      <p
        role="group"
        aria-label="Number"
        className="font-address box-content min-h-[4lh] w-[17ch] justify-self-center rounded-xl border border-line bg-page px-5 py-3 text-lg sm:min-h-[3lh] sm:w-[23ch]"
      >
        {blocks?.join(' ')}
      </p>
      <figure className="grid grid-cols-[8rem_minmax(0,1fr)] items-center gap-4">
        <div className="aspect-square rounded-2xl border border-line bg-white">
          {blocks && <QrCode text={blocks.join(' ')} label="The number as a QR code" />}
        </div>
        <figcaption className="text-sm text-pretty wrap-anywhere text-muted">
          In person, {title} can scan this with a camera. The camera shows your number, to compare with
          theirs.
        </figcaption>
      </figure>
      {isCompared && (
        <p role="status" className="flex items-center gap-2 font-medium text-sealed">
          <ShieldCheck className="size-5 shrink-0" aria-hidden="true" /> Compared, on this device
        </p>
      )}
      <p className="text-sm text-pretty text-muted">
        {isCompared
          ? 'Compare again when one of you makes a new key.'
          : `${title} sees another number? Then don’t write anything private.`}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => void copy((blocks ?? []).join(' '), 'Number copied')}>
          <Copy className="size-4" aria-hidden="true" /> Copy
        </Button>
        {isCompared ? (
          <Button onClick={() => noteCompared(peer, undefined)}>Remove the mark</Button>
        ) : (
          <Button variant="primary" busy={!blocks} onClick={mark}>
            <ShieldCheck className="size-4" aria-hidden="true" /> Mark as compared
          </Button>
        )}
      </div>
    </>
  )
}

function whyNone(ring: Keyring, { state }: PeerKey, title: string) {
  if (ring.state === 'unknown') return 'Looking for keys…'
  if (ring.state !== 'open' || !ring.on)
    return (
      <>
        You’ll get a number once both of you turn on encryption. It’s off for you on this device.{' '}
        <Link to="/settings/encryption" onClick={hideNumber} className="text-accent underline">
          Open settings
        </Link>
      </>
    )
  if (state === 'unknown') return 'Looking for keys…'
  if (state === 'bad') return `The key that ${serviceHost} shows for ${title} is not signed by their wallet.`
  return `You’ll get a number once both of you turn on encryption. ${title} hasn’t yet.`
}
