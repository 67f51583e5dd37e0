import { ArrowLeft } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { canGoBack } from './back.ts'

/** The way back on small screens: to the page before, else to the inbox. */
export function BackLink() {
  const navigate = useNavigate()
  return (
    <Link
      to="/"
      replace
      aria-label="Back"
      onClick={(event) => {
        if (!canGoBack()) return
        event.preventDefault()
        void navigate(-1)
      }}
      className="-ms-1 grid size-10 shrink-0 place-items-center rounded-full text-muted hover:bg-hover pointer-coarse:size-11 md:hidden"
    >
      <ArrowLeft className="size-5" aria-hidden="true" />
    </Link>
  )
}
