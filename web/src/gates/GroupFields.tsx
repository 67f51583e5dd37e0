import { FolderPlus, Plus, Trash2 } from 'lucide-react'
import { Fragment, type ReactNode, useRef } from 'react'
import { Button } from '../ui/Button.tsx'
import { Choices } from '../ui/Choices.tsx'
import { ConditionFields } from './ConditionFields.tsx'
import {
  type Group,
  type How,
  isGroup,
  isTurned,
  newCondition,
  newGroup,
  type Part,
  placeIn,
  placeOf,
} from './entered.ts'
import type { Form } from './form.ts'
import { whyFull } from './limits.ts'

interface Props {
  form: Form
  group: Group
  /** What its blocks are numbered after, such as “2.”. */
  number: string
  /** Its buttons say so what they add to. */
  to: string
  /** Its place in the body of a request. */
  at: string
  /** Returns true where the service takes the group in place of the present one. */
  fits: (next: Group) => boolean
  onChange: (next: Group) => void
  /** It stands beside the buttons that add. */
  children?: ReactNode
}

const hows: { value: How; label: string }[] = [
  { value: 'any', label: 'One of them' },
  { value: 'all', label: 'All of them' },
  { value: 'none', label: 'None of them' },
  { value: 'some-not', label: 'Not all of them' },
]
const between: Record<How, string> = { any: 'or', all: 'and', none: 'or', 'some-not': 'and' }

/** Lists the conditions and groups of a group, and adds others. */
export function GroupParts({ form, group, number, to, at, fits, onChange, children }: Props) {
  const addButton = useRef<HTMLButtonElement>(null)
  const { how, parts } = group
  const having = (next: Part[]): Group => ({ ...group, parts: next })
  const put = (i: number, ...next: Part[]) => having(parts.toSpliced(i, 1, ...next))
  const add = (part: Part, first: Part = part) => {
    form.setAdded(first.key)
    onChange(having([...parts, part]))
  }
  const remove = (i: number) => {
    addButton.current?.focus()
    onChange(put(i))
  }
  const addGroup = () => {
    const condition = newCondition(form.chains[0])
    add(newGroup(how === 'any' ? 'all' : 'any', [condition]), condition)
  }
  const mayHaveGroups = fits(having([...parts, newGroup('any', [newCondition(form.chains[0])])]))
  return (
    <>
      {parts.length > (isTurned(group) ? 0 : 1) && (
        <Choices
          legend="How many of these must be met"
          dense
          choices={hows.filter(({ value }) => value === how || fits({ ...group, how: value }))}
          chosen={how}
          onChange={(value) => onChange({ ...group, how: value })}
        />
      )}
      {parts.map((part, i) => {
        const shared = {
          form,
          number: `${number}${i + 1}`,
          at: placeOf(part, `${placeOf(group, at)}/${placeIn(group)}/${i}`),
          onRemove: () => remove(i),
        }
        return (
          <Fragment key={part.key}>
            {i > 0 && (
              <p className="-my-1.5 ps-3.5 text-sm text-muted" aria-hidden="true">
                {between[how]}
              </p>
            )}
            {isGroup(part) ? (
              <InnerGroup
                {...shared}
                group={part}
                fits={(next) => fits(put(i, next))}
                onChange={(next) => (next.parts.length > 0 ? onChange(put(i, next)) : remove(i))}
              />
            ) : (
              <ConditionFields
                {...shared}
                condition={part}
                mayTurn={part.isNot || fits(put(i, { ...part, isNot: true }))}
                onChange={(next) => onChange(put(i, next))}
              />
            )}
          </Fragment>
        )
      })}
      <div className="-ms-2 flex flex-wrap *:px-2">
        <Button
          ref={addButton}
          variant="quiet"
          className="text-sm"
          whyDisabled={form.isFull && whyFull}
          onClick={() => add(newCondition(form.chains[0]))}
        >
          <Plus className="size-4" aria-hidden="true" /> Add a condition{to}
        </Button>
        {parts.length > 0 && mayHaveGroups && (
          <Button variant="quiet" className="text-sm" whyDisabled={form.isFull && whyFull} onClick={addGroup}>
            <FolderPlus className="size-4" aria-hidden="true" /> Add a group{to}
          </Button>
        )}
        {children}
      </div>
    </>
  )
}

function InnerGroup({ onRemove, ...props }: Omit<Props, 'to'> & { onRemove: () => void }) {
  const { number } = props
  return (
    <fieldset className="grid grid-cols-1 gap-3 border-s-2 border-line-strong ps-3 sm:ps-4">
      <legend className="float-start -mb-1 text-sm font-semibold">Group {number}</legend>
      <GroupParts {...props} number={`${number}.`} to={` to group ${number}`}>
        <Button variant="quiet" className="text-sm" onClick={onRemove}>
          <Trash2 className="size-4" aria-hidden="true" /> Remove group {number}
        </Button>
      </GroupParts>
    </fieldset>
  )
}
