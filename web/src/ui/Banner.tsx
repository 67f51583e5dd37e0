import type { ReactNode } from 'react'
import { classes } from './classes.ts'

interface Props {
  tone?: 'calm' | 'warn' | 'danger'
  icon?: ReactNode
  action?: ReactNode
  children: ReactNode
}

const tones = {
  calm: 'bg-sunken text-ink',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
}

/** Shows a line about the state of the page. Screen readers announce it. */
export function Banner({ tone = 'calm', icon, action, children }: Props) {
  return (
    <div
      role="status"
      className={classes('flex min-h-10 items-center gap-2.5 px-4 py-2 text-sm', tones[tone])}
    >
      {icon}
      <div className="min-w-0 flex-1 text-pretty">{children}</div>
      {action}
    </div>
  )
}
