import { Gavel } from 'lucide-react'
import { Banner } from '../ui/Banner.tsx'
import { useStore } from '../state/store.ts'
import { Appeal } from './Appeal.tsx'
import { endOf, saidBelow, useForbidden } from './notices.ts'

/** Says what an operator forbids the wallet, until when and why, and how to appeal. */
export function SanctionBanner() {
  const forbidden = useForbidden()
  const isSaid = useStore(saidBelow) > 0
  if (!forbidden || isSaid) return null
  return (
    <Banner tone="danger" icon={<Gavel className="size-4 shrink-0" aria-hidden="true" />} action={<Appeal />}>
      <strong>You can read but not post, {endOf(forbidden)}.</strong>
      {forbidden.reason && ` Reason: ${forbidden.reason}`}
    </Banner>
  )
}
