import { useReadable } from '../keys/state/readable.ts'
import { shortTime } from '../state/time.ts'
import { CheckField } from './CheckField.tsx'
import { type Item, kindOf } from './evidence.ts'

interface Props {
  items: Item[]
  /** These are the ids of the chosen messages. */
  ids: ReadonlySet<number>
  onChange: (ids: ReadonlySet<number>) => void
  /** When true, the keys of encrypted ones are revealed. */
  reveal: boolean
  onReveal: (reveal: boolean) => void
}

/** Chooses the messages that the operators see, and whether they receive keys. */
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
      <legend className="pb-1 text-sm font-medium">Show messages to the operators</legend>
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
              ? 'Let the operators read this message'
              : `Let the operators read these ${provable} messages`
          }
          hint="They can then read these and nothing else that is encrypted. Otherwise they only see that a message was sent."
          checked={reveal}
          onChange={onReveal}
        />
      )}
      {isSealed && (
        <p className="text-sm text-pretty text-muted">
          Messages of old or other apps can’t be proven: operators only see that they were sent.
        </p>
      )}
    </fieldset>
  )
}
