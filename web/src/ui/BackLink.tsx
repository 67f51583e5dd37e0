import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'

/** The link back to the inbox, shown on small screens. */
export const BackLink = () => (
  <Link
    to="/"
    aria-label="Back to the inbox"
    className="-ms-1 grid size-10 shrink-0 place-items-center rounded-full text-muted hover:bg-hover pointer-coarse:size-11 md:hidden"
  >
    <ArrowLeft className="size-5" aria-hidden="true" />
  </Link>
)
