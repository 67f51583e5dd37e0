import { TriangleAlert } from 'lucide-react'

/** Stands beside a name that says of a wallet that it is on the team of the service, where it is not. */
export const NotOfficial = () => (
  <span className="inline-flex shrink-0 items-center gap-0.5 self-center align-middle text-xs leading-5 font-semibold text-danger">
    <TriangleAlert className="size-3.5 shrink-0" aria-hidden="true" />
    Not official
  </span>
)
