import { type KeyboardEvent, type Ref, useRef, useState } from 'react'
import { Problem } from '../service/Problem.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Choices } from '../ui/Choices.tsx'
import { type About, ending, endLabels, untold, useDecision } from './deciding.ts'
import { useKeys } from '../state/keys.ts'
import { TextArea } from '../ui/TextArea.tsx'
import { questions } from './questions.ts'
import { actions } from './labels.ts'

/** Decides about a wallet or chat: what, why, and until when. */
export function ActionForm(about: About) {
  const decision = useDecision(about)
  const { offered, action, reason, change, act } = decision
  const [asking, setAsking] = useState(false)
  const [lacks, setLacks] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const decide = () => {
    if (act.isPending) return
    setLacks(!reason.trim())
    if (!reason.trim()) field.current?.focus()
    else if (questions[action]) setAsking(true)
    else act.mutate()
  }
  const setReason = (text: string) => {
    change({ reason: text })
    setLacks(false)
  }
  const give = (index: number): boolean => {
    const chosen = canned[index]
    if (!chosen) return false
    setReason(chosen.text)
    field.current?.focus()
    return true
  }
  useKeys((key) => {
    if (/^[1-9]$/.test(key)) return give(Number(key) - 1)
    const chosen = offered.find((one) => actions[one].letter === key)
    if (!chosen) return false
    change({ action: chosen })
    field.current?.focus()
    return true
  })
  return (
    <Card title="Decide">
      <form
        className="grid grid-cols-1 gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          decide()
        }}
      >
        {/* Beside the report it scrolls by itself, so that the button below stays in view. */}
        <div className="scroll-calm -mx-2 grid grid-cols-1 gap-3 px-2 @min-[43rem]:max-h-[calc(100dvh-16rem)] @min-[43rem]:overflow-y-auto">
          <Choices
            legend="Action"
            chosen={action}
            choices={offered.map((value) => ({
              value,
              label: actions[value].label,
              letter: actions[value].letter,
            }))}
            onChange={(value) => change({ action: value })}
            dense
          />
          <p className="text-sm text-pretty text-muted">{actions[action].effect}</p>
          <Details decision={decision} />
          <Reason
            ref={field}
            value={reason}
            isTold={!untold.has(action)}
            isLacking={lacks}
            onChange={setReason}
            onGive={give}
            onDecide={decide}
          />
        </div>
        <Problem error={act.error} />
        <Button
          type="submit"
          variant={questions[action] ? 'danger' : 'primary'}
          busy={act.isPending}
          className="justify-self-end"
        >
          {actions[action].label}
        </Button>
      </form>
      {asking && (
        <Asking
          decision={decision}
          onClose={() => setAsking(false)}
          onYes={() => {
            setAsking(false)
            act.mutate()
          }}
        />
      )}
    </Card>
  )
}

interface ReasonProps {
  ref: Ref<HTMLTextAreaElement>
  value: string
  /** This is true when the wallet reads it. */
  isTold: boolean
  isLacking: boolean
  onChange: (text: string) => void
  /** Fills in one of the ready reasons, if it exists. */
  onGive: (index: number) => boolean
  onDecide: () => void
}

function Reason({ isTold, isLacking, onGive, onDecide, ...field }: ReasonProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    // With Alt a keyboard may type another sign for the digit.
    const digit = event.altKey && /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1]
    if (digit && onGive(Number(digit) - 1)) event.preventDefault()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!event.repeat) onDecide()
  }
  return (
    <div className="grid gap-2">
      <TextArea
        {...field}
        label="Reason"
        rows={2}
        required
        problem={isLacking ? 'Give a reason first.' : undefined}
        hint={isTold ? 'They read this. Do not say who reported them.' : 'Only operators read this.'}
        onKeyDown={onKeyDown}
      />
      <Canned onGive={onGive} />
    </div>
  )
}

/** Lists frequent reasons. A digit fills one in; in the field, with Alt. */
const Canned = ({ onGive }: Pick<ReasonProps, 'onGive'>) => (
  <ul aria-label="Ready reasons" className="flex flex-wrap gap-1.5">
    {canned.map(({ label, text }, index) => (
      <li key={label}>
        <button
          type="button"
          title={text}
          onClick={() => onGive(index)}
          className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-line px-2.5 text-sm text-muted hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
        >
          <kbd className="font-mono text-xs max-sm:hidden" aria-hidden="true">
            {index + 1}
          </kbd>
          {label}
        </button>
      </li>
    ))}
  </ul>
)

type Decision = ReturnType<typeof useDecision>

/** Shows which message, and for how long, when the action has that. */
function Details({ decision }: { decision: Decision }) {
  const { action, end, items, item, change } = decision
  return (
    <>
      {item !== undefined && (
        <Choices
          legend="Which message"
          chosen={item}
          choices={items}
          onChange={(value) => change({ item: value })}
          dense
        />
      )}
      {ending.has(action) && (
        <Choices
          legend="For how long"
          chosen={end}
          choices={endLabels.map(([value, label]) => ({ value, label }))}
          onChange={(value) => change({ end: value })}
          dense
        />
      )}
    </>
  )
}

interface AskingProps {
  decision: Decision
  onClose: () => void
  onYes: () => void
}

/** The key that has opened it must not confirm it as well while it is held down. */
const notRepeated = (event: KeyboardEvent) => event.repeat && event.preventDefault()

function Asking({ decision: { action, end }, onClose, onYes }: AskingProps) {
  const question = questions[action]
  if (!question) return null
  const { title, text, yes, no } = question
  return (
    <Modal title={title} onClose={onClose}>
      <p className="text-pretty text-muted">
        {ending.has(action) && `${endLabels.find(([value]) => value === end)![1]}. `}
        {actions[action].effect} {text}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{no}</Button>
        <Button variant="danger" data-first onKeyDown={notRepeated} onClick={onYes}>
          {yes}
        </Button>
      </div>
    </Modal>
  )
}

/** Operators often give these reasons. The digit of its place fills one in. */
const canned: { label: string; text: string }[] = [
  { label: 'Spam', text: 'You sent the same message to many people.' },
  { label: 'Scam', text: 'You tried to get money, a seed phrase or a private key.' },
  { label: 'False link', text: 'Your link leads to a site that imitates another one.' },
  { label: 'Impersonation', text: 'You pretended to be someone else.' },
  { label: 'Threats', text: 'You threatened or harassed someone.' },
  { label: 'Hate', text: 'You wrote hate against a group of people.' },
  { label: 'Illegal', text: 'You shared what the law forbids.' },
  { label: 'Off topic', text: 'You posted what does not belong there, again and again.' },
  { label: 'No violation', text: 'We reviewed this and found nothing against the rules.' },
]
