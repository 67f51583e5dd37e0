import { type ComponentProps, useId } from 'react'
import { classes } from './classes.ts'

interface Props extends ComponentProps<'input'> {
  label: string
  hint?: string | undefined
  error?: string | undefined
}

export function TextField({ label, hint, error, className, ...rest }: Props) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={classes('grid gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        className={classes(
          'min-h-11 w-full min-w-0 rounded-xl border bg-surface px-3.5 py-2 text-base focus:border-accent focus:outline-1 focus:-outline-offset-2 focus:outline-accent',
          error ? 'border-danger' : 'border-line-strong',
        )}
        {...rest}
      />
      {note && (
        <p id={`${id}-note`} className={classes('text-sm', error ? 'text-danger' : 'text-muted')}>
          {note}
        </p>
      )}
    </div>
  )
}
