import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface Props {
  /** Undefined while something is missing, which the hint says. */
  to: string | undefined
  icon: ReactNode
  title: string
  hint: string
  onClose: () => void
}

/** A way to start a conversation, with a hint about what it needs. */
export function StartChoice({ to, icon, title, hint, onClose }: Props) {
  const inside = (
    <>
      <span className="text-muted" aria-hidden="true">
        {icon}
      </span>
      <span className="grid min-w-0 grid-cols-1">
        <span className="font-medium">{title}</span>
        <span className="truncate text-sm text-muted">{hint}</span>
      </span>
    </>
  )
  const style = 'flex min-w-0 min-h-14 items-center gap-3 rounded-xl px-2 py-1.5'
  if (to === undefined) return <div className={style}>{inside}</div>
  return (
    <Link to={to} onClick={onClose} className={`${style} hover:bg-hover`}>
      {inside}
    </Link>
  )
}
