import { type ComponentProps, useId } from 'react'

interface Props extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> {
  label: string
  hint?: string
  value: string
  onChange: (text: string) => void
  /** How many bytes it may have. What is longer is not taken. */
  most?: number
}

const bytes = new TextEncoder()

/** A field for some lines of text. */
export function TextArea({ label, hint, onChange, most = 1024, ...rest }: Props) {
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
        aria-describedby={hint ? `${id}-note` : undefined}
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
    </div>
  )
}
