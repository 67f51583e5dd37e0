import type { GateStanding } from '@parley/sdk/contract/gate-answers.ts'
import { Check, CircleHelp, X } from 'lucide-react'
import { exactTime } from '../state/time.ts'

type Part = GateStanding['read']['conditions'][number]

/** Lists what it takes to get in: what you have of it, and what you lack. */
export const Conditions = ({ conditions }: { conditions: Part[] }) => (
  <ul className="grid gap-2 text-left text-sm">
    {conditions.map((part) => (
      <li key={part.words} className="flex gap-2">
        <Sign met={part.met} />
        <span className="min-w-0 wrap-anywhere">
          <span className="font-medium">{startOf(part.words)}</span>
          <span className="block text-muted">{stateOf(part)}</span>
        </span>
      </li>
    ))}
  </ul>
)

const startOf = (words: string) => words.slice(0, 1).toUpperCase() + words.slice(1)

function Sign({ met }: { met: boolean | undefined }) {
  const Icon = met === undefined ? CircleHelp : met ? Check : X
  const color = met === undefined ? 'text-muted' : met ? 'text-accent' : 'text-danger'
  return <Icon className={`mt-0.5 size-4 shrink-0 ${color}`} aria-hidden="true" />
}

function stateOf({ met, has, lacks, since, least }: Part): string {
  if (met === undefined) return 'Can’t be checked right now.'
  if (has && least && since && !lacks)
    return `You have ${has}. At the moments checked since ${exactTime(since)} you had ${least} at the least${met ? '.' : ', which is not enough.'}`
  const held = has ? `You have ${has}.` : met ? 'You meet this.' : 'You don’t meet this.'
  return lacks ? `${held} You need ${lacks} more.` : held
}
