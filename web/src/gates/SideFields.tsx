import type { FieldError } from '@parley/sdk/contract/errors.ts'
import { Plus } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { Choices } from '../ui/Choices.tsx'
import { ConditionFields } from './ConditionFields.tsx'
import { type Condition, type Entered, faultAt, newCondition, type Side, type SideName } from './entered.ts'

interface Props {
  side: SideName
  entered: Entered
  chains: number[]
  faults: FieldError[]
  onChange: (next: Entered) => void
}

const legends = { read: 'To read and post', post: 'To post, besides' }

/** Chooses the conditions for reading, or those for posting. */
export function SideFields({ side, entered, chains, faults, onChange }: Props) {
  const { how, conditions } = entered[side]
  const set = (some: Partial<Side>) => onChange({ ...entered, [side]: { how, conditions, ...some } })
  const replace = (at: number, next: Condition[]) => set({ conditions: conditions.toSpliced(at, 1, ...next) })
  return (
    <fieldset className="grid grid-cols-1 gap-3">
      <legend className="mb-2 font-medium">{legends[side]}</legend>
      {conditions.length > 1 && (
        <Choices
          legend="How many conditions must be met"
          dense
          choices={[
            { value: 'any', label: 'One of them' },
            { value: 'all', label: 'All of them' },
          ]}
          chosen={how}
          onChange={(value) => set({ how: value })}
        />
      )}
      {conditions.map((condition, i) => (
        <ConditionFields
          key={condition.key}
          number={i + 1}
          faultIn={faultAt(faults, side, i)}
          onChange={(next) => replace(i, [next])}
          onRemove={() => replace(i, [])}
          {...{ condition, chains }}
        />
      ))}
      <Button
        className="justify-self-start"
        onClick={() => set({ conditions: [...conditions, newCondition(chains[0])] })}
      >
        <Plus className="size-4" aria-hidden="true" />{' '}
        {side === 'read' ? 'Add a condition' : 'Add a condition for posting'}
      </Button>
    </fieldset>
  )
}
