import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

interface Props extends ComponentProps<'button'> {
  variant?: 'primary' | 'plain' | 'quiet' | 'danger'
  busy?: boolean
}

const variants = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  plain: 'border border-line bg-raised text-ink hover:bg-hover',
  quiet: 'text-accent hover:bg-hover',
  danger: 'border border-line bg-raised text-danger hover:bg-danger-soft',
}

export function Button({ variant = 'plain', busy = false, className, disabled, children, ...rest }: Props) {
  return (
    <button
      type="button"
      disabled={disabled || busy}
      aria-busy={busy}
      className={classes(
        'inline-flex min-h-11 items-center justify-center gap-2 rounded-xl px-4 py-2 font-medium transition-colors disabled:opacity-55',
        variants[variant],
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  )
}
