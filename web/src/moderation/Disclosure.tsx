import { useReadable } from '../keys/readable.ts'
import { shortTime } from '../ui/time.ts'
import { CheckField } from './CheckField.tsx'
import { type Item, kindOf } from './evidence.ts'

interface Props {
  items: Item[]
  /** The ids of those that are chosen. */
  ids: ReadonlySet<number>
  onChange: (ids: ReadonlySet<number>) => void
  /** Whether the keys of encrypted ones are revealed. */
  reveal: boolean
  onReveal: (reveal: boolean) => void
}

/** Chooses the messages that the operators are shown, and whether they are given keys. */
export function Disclosure({ items, ids, onChange, reveal, onReveal }: Props) {
  const readable = useReadable()
  const chosen = items.filter(({ id }) => ids.has(id))
  const provable = chosen.filter((item) => kindOf(item) === 'provable').length
  const isSealed = chosen.some((item) => kindOf(item) === 'sealed')
  const toggle = (id: number, on: boolean) => {
    const next = new Set(ids)
    if (on) next.add(id)
    else next.delete(id)
    onChange(next)
  }
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="pb-1 text-sm font-medium">Which messages may the operators see?</legend>
      <div className="scroll-calm grid max-h-48 grid-cols-1 gap-0.5 overflow-y-auto rounded-xl border border-line px-3 py-1">
        {items.toReversed().map((item) => (
          <CheckField
            key={item.id}
            label={'toaddr' in item ? readable(item).text : item.message}
            hint={`${shortTime(item.timestamp)}${kindOf(item) === 'clear' ? '' : ' · encrypted'}`}
            checked={ids.has(item.id)}
            onChange={(on) => toggle(item.id, on)}
          />
        ))}
      </div>
      {provable > 0 && (
        <CheckField
          label={
            provable === 1
              ? 'Reveal this message’s key to the operators'
              : `Reveal the keys of these ${provable} messages to the operators`
          }
          hint="They can read what is chosen here then, and nothing else that is encrypted. Without it they see that a message was sent, not what it says."
          checked={reveal}
          onChange={onReveal}
        />
      )}
      {isSealed && (
        <p className="text-sm text-pretty text-muted">
          What was encrypted in another form cannot be proven to them: they see that it was sent, not what it
          says.
        </p>
      )}
    </fieldset>
  )
}
