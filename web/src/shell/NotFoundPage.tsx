import { Compass } from 'lucide-react'
import { DeadEnd } from '../ui/Page.tsx'

export const NotFoundPage = () => (
  <DeadEnd title="Nothing here" icon={<Compass className="size-7" />} heading="There is no such page">
    This link may be old or incomplete.
  </DeadEnd>
)
