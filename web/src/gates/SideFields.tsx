import type { FieldError } from '@parley/sdk/contract/errors.ts'
import { useState } from 'react'
import type { Entered, SideName, TokenNames } from './entered.ts'
import { GroupParts } from './GroupFields.tsx'
import { isFull, isShallow } from './limits.ts'

interface Props {
  side: SideName
  entered: Entered
  chains: number[]
  names: TokenNames
  faults: FieldError[]
  onChange: (next: Entered) => void
}

const legends = { read: 'To read and post', post: 'To post, besides' }

/** Chooses the conditions for reading, or those for posting. */
export function SideFields({ side, entered, chains, names, faults, onChange }: Props) {
  const [added, setAdded] = useState('')
  const group = entered[side]
  return (
    <fieldset className="grid grid-cols-1 gap-3">
      <legend className="mb-2 font-medium">{legends[side]}</legend>
      <GroupParts
        form={{ chains, names, faults, added, setAdded, isFull: isFull(group) }}
        group={group}
        number=""
        to={side === 'read' ? '' : ' for posting'}
        at={`/body/${side}`}
        fits={isShallow}
        onChange={(next) => onChange({ ...entered, [side]: next })}
      />
    </fieldset>
  )
}
