import type { ReactNode } from 'react'

/** Shows a line about a search, above or below what was found. */
export const Note = ({
  icon,
  action,
  children,
}: {
  icon?: ReactNode
  action?: ReactNode
  children: ReactNode
}) => (
  <div className="flex items-center gap-2 px-2 py-1.5 text-sm text-pretty text-muted [&>svg]:size-4 [&>svg]:shrink-0">
    {icon}
    <p className="min-w-0 flex-1">{children}</p>
    {action}
  </div>
)
