import { ArrowLeft } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { goBack } from '../state/back.ts'
import { classes } from './classes.ts'

/** Leads back on small screens: to the page before, else to the one above, which is the inbox when omitted. */
export function BackLink({ to }: { to?: string | undefined }) {
  const navigate = useNavigate()
  return (
    <Link
      to={to ?? '/'}
      replace
      aria-label="Back"
      onClick={(event) => {
        event.preventDefault()
        goBack(navigate, to)
      }}
      className={classes(
        '-ms-1 grid size-10 shrink-0 place-items-center rounded-full text-muted hover:bg-hover pointer-coarse:size-11',
        to === undefined ? 'md:hidden' : '@min-[43rem]:hidden',
      )}
    >
      <ArrowLeft className="size-5" aria-hidden="true" />
    </Link>
  )
}
