import { ShieldX } from 'lucide-react'
import { DeadEnd } from '../ui/Page.tsx'

/** Replaces the operators' pages for everybody else. */
export const NoOperator = () => (
  <DeadEnd title="Operators" icon={<ShieldX className="size-7" />} heading="You’re not an operator">
    These pages are for the operators of {location.host}. If you are one, sign in with that wallet.
  </DeadEnd>
)
