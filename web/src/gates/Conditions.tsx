import type { GateStanding } from '@parley/sdk/contract/gate-answers.ts'
import { Check, CircleHelp, Minus, X } from 'lucide-react'
import { exactTime } from '../state/time.ts'

type Side = GateStanding['read']
type Part = Side['conditions'][number]

interface Props {
  side: Pick<Side, 'conditions' | 'groups'>
  /** The list is of what is in this group; left out, in none. */
  group?: number
  /** When false, what is not met is not missing: another part of the group is met. */
  isNeeded?: boolean
}

/** Lists what it takes to get in: what you have of it, and what you lack. A group is a list in the list. */
export const Conditions = ({ side, group, isNeeded = true }: Props) => (
  <ul className="grid gap-2.5 text-start text-sm">
    {Array.from(
      side.conditions.entries(),
      ([i, part]) =>
        part.group === group && (
          <li key={i} className="flex gap-2">
            <Sign met={part.met} isNeeded={isNeeded} />
            <span className="min-w-0 wrap-anywhere">
              <span className="font-medium">{startOf(part.words)}</span>
              <span className="block text-muted">{stateOf(part, isNeeded)}</span>
            </span>
          </li>
        ),
    )}
    {Array.from(
      side.groups.entries(),
      ([i, { how, met, group: around }]) =>
        around === group && (
          <li key={i} className="grid gap-2">
            <span className="flex gap-2 font-medium">
              <Sign met={met} isNeeded={isNeeded} />
              <span>
                {how === 'any' ? 'One of these' : 'All of these'}
                <span className="sr-only">{met === undefined ? '' : met ? ': met' : ': not met'}</span>
              </span>
            </span>
            <div className="ms-1.75 border-s-2 border-line ps-4">
              <Conditions side={side} group={i} isNeeded={isNeeded && !(how === 'any' && met)} />
            </div>
          </li>
        ),
    )}
  </ul>
)

const startOf = (words: string) => words.slice(0, 1).toUpperCase() + words.slice(1)

function Sign({ met, isNeeded }: { met: boolean | undefined; isNeeded: boolean }) {
  const Icon = met ? Check : !isNeeded ? Minus : met === undefined ? CircleHelp : X
  const color = met ? 'text-accent' : met === false && isNeeded ? 'text-danger' : 'text-muted'
  return <Icon className={`mt-0.5 size-4 shrink-0 ${color}`} aria-hidden="true" />
}

function stateOf({ met, has, lacks, since, least }: Part, isNeeded: boolean): string {
  if (met === undefined) return 'Can’t be checked right now.'
  if (has && least && since && !lacks)
    return `You have ${has}. At the moments checked since ${exactTime(since)} you had ${least} at the least${met ? '.' : ', which is not enough.'}`
  const held = has ? `You have ${has}.` : met ? 'You meet this.' : 'You don’t meet this.'
  return lacks && isNeeded ? `${held} You need ${lacks} more.` : held
}
