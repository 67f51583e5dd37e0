import * as Switch from '@radix-ui/react-switch'
import { useId } from 'react'

interface Props {
  label: string
  hint?: string
  checked: boolean
  /** This is true while a change is being stored. */
  busy?: boolean
  /** This says why it cannot be changed now; it replaces the hint. */
  whyDisabled?: string | false | undefined
  onChange: (checked: boolean) => void
}

export function SwitchField({ label, hint, checked, busy = false, whyDisabled, onChange }: Props) {
  const id = useId()
  const note = whyDisabled || hint
  return (
    <div className="flex items-center gap-4 py-2">
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="font-medium wrap-anywhere">
          {label}
        </label>
        {note && (
          <p id={`${id}-note`} className="text-sm text-pretty text-muted">
            {note}
          </p>
        )}
      </div>
      <Switch.Root
        id={id}
        checked={checked}
        disabled={busy || Boolean(whyDisabled)}
        aria-describedby={note ? `${id}-note` : undefined}
        onCheckedChange={onChange}
        className="relative h-7 w-12 shrink-0 before:absolute before:-inset-2 rounded-full bg-line-strong transition-colors data-[state=checked]:bg-accent disabled:opacity-50"
      >
        <Switch.Thumb className="block size-5 translate-x-1 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-6" />
      </Switch.Root>
    </div>
  )
}
