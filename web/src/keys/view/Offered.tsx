import { ChevronRight, Lock } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { isNewOffer, type Offer, useOffer } from '../state/offer.ts'

const EncryptionOffer = lazy(async () => ({
  default: (await import('./EncryptionOffer.tsx')).EncryptionOffer,
}))

/** Shows the offer until the reader accepts or refuses it. */
export function Offered({ onDone }: { onDone: () => void }) {
  const offer = useOffer()
  return offer && <Shown key={offer} offer={offer} onDone={onDone} />
}

function Shown({ offer, onDone }: { offer: Offer; onDone: () => void }) {
  const [isNew] = useState(() => isNewOffer(offer))
  if (!isNew) return <Row offer={offer} />
  return (
    <Suspense>
      <EncryptionOffer offer={offer} onDone={onDone} />
    </Suspense>
  )
}

const labels: Record<Offer, string> = { 'set-up': 'Turn on encryption', unlock: 'Unlock your messages' }

const Row = ({ offer }: { offer: Offer }) => (
  <Link
    to="/settings/encryption"
    className="mx-3 mb-2 flex min-h-11 items-center gap-2.5 rounded-xl bg-sealed-soft px-3.5 text-sm font-medium hover:bg-hover"
  >
    <Lock className="size-4 shrink-0 text-sealed" aria-hidden="true" />
    <span className="flex-1">{labels[offer]}</span>
    <ChevronRight className="size-4 shrink-0 text-muted rtl:rotate-180" aria-hidden="true" />
  </Link>
)
