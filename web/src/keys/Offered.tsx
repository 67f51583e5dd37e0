import { lazy, Suspense } from 'react'
import { useOffer } from './offer.ts'

const EncryptionOffer = lazy(async () => ({
  default: (await import('./EncryptionOffer.tsx')).EncryptionOffer,
}))

/** What is offered to the reader, until it is accepted or refused. */
export function Offered({ onDone }: { onDone: () => void }) {
  const offer = useOffer()
  return <Suspense>{offer && <EncryptionOffer offer={offer} onDone={onDone} />}</Suspense>
}
