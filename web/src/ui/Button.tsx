import { type ComponentProps, useId, useState } from 'react'
import { classes } from './classes.ts'

interface Props extends Omit<ComponentProps<'button'>, 'disabled'> {
  variant?: 'primary' | 'plain' | 'quiet' | 'danger'
  busy?: boolean
  /** This says why it does nothing now, and what to do first. */
  whyDisabled?: string | false | undefined
}

// Forced colours draw a transparent border; they do not draw fills and plain texts.
const variants = {
  primary: 'border border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  plain: 'border border-line bg-raised text-ink hover:bg-hover',
  quiet: 'border border-transparent text-accent hover:bg-hover',
  danger: 'border border-line bg-raised text-danger hover:bg-danger-soft',
}

/**
 * A button that does nothing now has a reason, so `disabled` is no property of it: it keeps the focus and says the
 * reason below itself when it is pressed, also by Enter in a field of its form. The element around it wraps its
 * children or is a grid.
 */
export function Button({ variant = 'plain', busy = false, className, whyDisabled, onClick, ...rest }: Props) {
  const id = useId()
  const [pressed, setPressed] = useState(0)
  return (
    <>
      <button
        type="button"
        disabled={busy}
        aria-busy={busy}
        className={classes(
          'inline-flex min-h-11 items-center justify-center gap-2 rounded-xl px-4 py-2 font-medium transition-colors disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
          variants[variant],
          className,
        )}
        {...rest}
        {...(whyDisabled && { 'aria-disabled': true, 'aria-describedby': `${id}-why`, title: whyDisabled })}
        onClick={(event) => {
          if (!whyDisabled) return onClick?.(event)
          event.preventDefault()
          setPressed(pressed + 1)
        }}
      />
      {whyDisabled && (
        <span
          id={`${id}-why`}
          // The element is new each time, so that it is announced again.
          key={pressed}
          role={pressed > 0 ? 'alert' : undefined}
          className={pressed > 0 ? 'basis-full text-sm text-pretty text-warn' : 'sr-only'}
        >
          {whyDisabled}
        </span>
      )}
    </>
  )
}
