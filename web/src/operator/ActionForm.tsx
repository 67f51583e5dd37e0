import { type KeyboardEvent, useRef, useState } from 'react'
import { Problem } from '../service/Problem.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Choices } from '../ui/Choices.tsx'
import { type About, ending, endLabels, untold, useDecision } from './deciding.ts'
import { useKeys } from './keys.ts'
import { TextArea } from '../ui/TextArea.tsx'
import { questions } from './questions.ts'
import { actions } from './words.ts'

/** What an operator decides about a wallet or chat, why, and until when. */
export function ActionForm(about: About) {
  const decision = useDecision(about)
  const { offered, action, setAction, reason, setReason, act } = decision
  const [asking, setAsking] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const decide = () => {
    if (!reason.trim()) field.current?.focus()
    else if (questions[action]) setAsking(true)
    else act.mutate()
  }
  useKeys((key) => {
    const chosen = offered.find((one) => actions[one].letter === key)
    if (!chosen) return false
    setAction(chosen)
    field.current?.focus()
    return true
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    decide()
  }
  return (
    <Card title="Decide">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          decide()
        }}
      >
        <Choices
          legend="What"
          chosen={action}
          choices={offered.map((value) => ({
            value,
            label: actions[value].label,
            letter: actions[value].letter,
          }))}
          onChange={setAction}
        />
        <p className="text-sm text-pretty text-muted">{actions[action].effect}</p>
        <Details decision={decision} />
        <TextArea
          ref={field}
          label="Why"
          required
          hint={
            untold.has(action)
              ? 'Operators read this, and no one else.'
              : 'The wallet reads this. Do not say who reported it.'
          }
          value={reason}
          onKeyDown={onKeyDown}
          onChange={setReason}
        />
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
      {asking && questions[action] && (
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

type Decision = ReturnType<typeof useDecision>

/** Which message, and for how long, where the action has that. */
function Details({ decision }: { decision: Decision }) {
  const { action, end, setEnd, items, item, setItem } = decision
  return (
    <>
      {item !== undefined && (
        <Choices legend="Which message" chosen={item} choices={items} onChange={setItem} />
      )}
      {ending.has(action) && (
        <Choices
          legend="For how long"
          chosen={end}
          choices={endLabels.map(([value, label]) => ({ value, label }))}
          onChange={setEnd}
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

function Asking({ decision: { action, end }, onClose, onYes }: AskingProps) {
  const { title, text, yes, no } = questions[action]!
  return (
    <Modal title={title} onClose={onClose}>
      <p className="text-pretty text-muted">
        {ending.has(action) && `${endLabels.find(([value]) => value === end)![1]}. `}
        {actions[action].effect} {text}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{no}</Button>
        <Button variant="danger" onClick={onYes}>
          {yes}
        </Button>
      </div>
    </Modal>
  )
}
