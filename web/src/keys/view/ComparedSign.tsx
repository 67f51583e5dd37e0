import { ShieldCheck } from 'lucide-react'
import { showNumber } from '../state/shown-number.ts'

/** Says beside the name of a peer that the safety number was compared, and shows it again. */
export const ComparedSign = ({ peer }: { peer: string }) => (
  <button
    type="button"
    aria-label="Safety number: compared"
    title="Safety number: compared"
    onClick={() => showNumber(peer)}
    className="relative shrink-0 rounded-full text-sealed before:absolute before:-inset-3"
  >
    <ShieldCheck className="size-4" aria-hidden="true" />
  </button>
)
