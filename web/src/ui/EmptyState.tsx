import type { ReactNode } from 'react'

interface Props {
  icon: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** Says in place of an empty list why it is empty, and what to do about it. */
export function EmptyState({ icon, title, children, action }: Props) {
  return (
    <div className="m-auto grid max-w-xs justify-items-center gap-3 p-6 text-center">
      <span className="grid size-14 place-items-center rounded-2xl bg-sunken text-muted" aria-hidden="true">
        {icon}
      </span>
      <p className="text-base font-semibold">{title}</p>
      {children && <p className="text-sm text-pretty text-muted">{children}</p>}
      {action && <div className="mt-1">{action}</div>}
    </div>
  )
}
