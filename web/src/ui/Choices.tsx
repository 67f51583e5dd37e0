import { type ReactNode, useId } from 'react'
import { classes } from './classes.ts'

interface Choice<Value extends string> {
  value: Value
  label: string
  /** This key chooses it, if given. */
  letter?: string
}

interface Props<Value extends string> {
  legend: string
  choices: Choice<Value>[]
  chosen: Value
  onChange: (value: Value) => void
  /** When true, there are many, and they are lower if there is a mouse. */
  dense?: boolean
  /** This says why nothing can be chosen now; the page around it shows it. */
  whyDisabled?: string | false
}

/** Chooses one of some short choices. */
export function Choices<Value extends string>({
  legend,
  choices,
  chosen,
  onChange,
  dense = false,
  whyDisabled = false,
}: Props<Value>) {
  const name = useId()
  return (
    <fieldset className="grid gap-1.5 disabled:opacity-55" disabled={Boolean(whyDisabled)}>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className={classes('flex flex-wrap', dense ? 'gap-1.5' : 'gap-2')}>
        {choices.map(({ value, label, letter }) => (
          <Choice
            key={value}
            group={name}
            className={classes(
              'inline-flex items-center gap-2 text-sm font-medium',
              dense ? 'min-h-9 px-2.5 pointer-coarse:min-h-11' : 'min-h-11 px-3',
            )}
            checked={chosen === value}
            onChoose={() => onChange(value)}
          >
            {label}
            {letter && (
              <kbd className="font-mono text-xs text-muted max-sm:hidden" aria-hidden="true">
                {letter}
              </kbd>
            )}
          </Choice>
        ))}
      </div>
    </fieldset>
  )
}

interface ChoiceProps {
  /** The choices of one group share this name. */
  group: string
  checked: boolean
  disabled?: boolean
  /** These classes lay out its content. */
  className: string
  onChoose: () => void
  children: ReactNode
}

export const Choice = ({ group, checked, disabled, className, onChoose, children }: ChoiceProps) => (
  <label
    className={classes(
      'relative cursor-pointer rounded-xl border has-focus-visible:outline-2 has-focus-visible:outline-accent',
      checked ? 'border-accent bg-selected' : 'border-line hover:bg-hover',
      className,
    )}
  >
    <input
      type="radio"
      name={group}
      className="sr-only"
      checked={checked}
      disabled={disabled}
      onChange={onChoose}
    />
    {children}
  </label>
)
