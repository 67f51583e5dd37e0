import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

interface Props extends ComponentProps<'button'> {
  label: string
}

/** A button with an icon only. Its label is its accessible name and its tooltip. */
export function IconButton({ label, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classes(
        'grid size-10 shrink-0 place-items-center pointer-coarse:size-11 rounded-full text-muted transition-colors hover:bg-hover hover:text-ink disabled:opacity-50',
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  )
}
