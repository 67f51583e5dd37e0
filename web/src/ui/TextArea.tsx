import { type ComponentProps, useId } from 'react'
import { classes } from './classes.ts'

interface Props extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> {
  label: string
  hint?: string
  /** This says what is wrong with the text. */
  problem?: string | undefined
  value: string
  onChange: (text: string) => void
  /** The text may have at most this many bytes. Longer text is not accepted. */
  most?: number
}

const bytes = new TextEncoder()

export function TextArea({ label, hint, problem, onChange, most = 1024, ...rest }: Props) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        rows={3}
        dir="auto"
        aria-describedby={classes(hint && `${id}-note`, problem && `${id}-problem`) || undefined}
        aria-invalid={problem ? true : undefined}
        onChange={({ target }) => {
          if (bytes.encode(target.value).length <= most) onChange(target.value)
        }}
        className="min-h-11 w-full min-w-0 rounded-xl border border-line-strong bg-surface px-3.5 py-2 text-base focus:border-accent focus:outline-1 focus:-outline-offset-2 focus:outline-accent"
        {...rest}
      />
      {hint && (
        <p id={`${id}-note`} className="text-sm text-pretty text-muted">
          {hint}
        </p>
      )}
      <p id={`${id}-problem`} role="alert" className="text-sm text-danger empty:hidden">
        {problem}
      </p>
    </div>
  )
}
