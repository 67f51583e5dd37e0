import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

/** It is never disabled. A button that would do nothing is left out, or a `Button` says why. */
interface Props extends Omit<ComponentProps<'button'>, 'disabled'> {
  label: string
}

/** This button has only an icon. Its label is its accessible name and its tooltip. */
export function IconButton({ label, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classes(
        'grid size-10 shrink-0 place-items-center pointer-coarse:size-11 rounded-full text-muted transition-colors hover:bg-hover hover:text-ink',
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  )
}
