import { useId } from 'react'
import { classes } from './classes.ts'

interface Choice<Value extends string> {
  value: Value
  label: string
  /** The key that chooses it, where there is one. */
  letter?: string
}

interface Props<Value extends string> {
  legend: string
  choices: Choice<Value>[]
  chosen: Value
  onChange: (value: Value) => void
}

/** One of some short choices. */
export function Choices<Value extends string>({ legend, choices, chosen, onChange }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ value, label, letter }) => (
          <label
            key={value}
            className={classes(
              'relative inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-xl border px-3 text-sm font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent',
              chosen === value ? 'border-accent bg-selected' : 'border-line hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={chosen === value}
              onChange={() => onChange(value)}
            />
            {label}
            {letter && (
              <kbd className="font-mono text-xs text-muted max-sm:hidden" aria-hidden="true">
                {letter}
              </kbd>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
