import { useId } from 'react'

interface Props {
  label: string
  hint?: string
  type?: 'checkbox' | 'radio'
  name?: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** Shows a checkbox, or one of several options to choose. */
export function CheckField({ label, hint, type = 'checkbox', name, checked, onChange }: Props) {
  const id = useId()
  return (
    <label className="flex min-h-9 cursor-pointer items-start gap-3 py-1.5 pointer-coarse:min-h-11 pointer-coarse:py-2.5">
      <input
        type={type}
        name={name}
        checked={checked}
        aria-describedby={hint ? id : undefined}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4.5 shrink-0 accent-accent"
      />
      <span className="grid min-w-0">
        <span className="line-clamp-3 wrap-anywhere" dir="auto">
          {label}
        </span>
        {hint && (
          <span id={id} aria-hidden="true" className="text-xs text-pretty text-muted">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
