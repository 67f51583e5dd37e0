import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useMe } from '../service/session.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../state/notice.ts'
import { CheckField } from './CheckField.tsx'
import { Disclosure } from './Disclosure.tsx'
import { type Item, keysOf, kindOf, messagesOf } from './evidence.ts'
import { endReporting, type Reportable } from './reporting.ts'
import { TextArea } from '../ui/TextArea.tsx'

type NewReport = Parameters<typeof client.createReport>[0]['body']
type Reason = NewReport['reason']

const reasons: [Reason, string][] = [
  ['spam', 'Spam'],
  ['scam', 'Scam or phishing'],
  ['impersonation', 'Pretending to be someone else'],
  ['abuse', 'Threats, hate or harassment'],
  ['illegal', 'Illegal content'],
  ['other', 'Something else'],
]

/** Reports a wallet, some of its messages or a chat to the operators, and says what they see. */
export function ReportDialog({ what }: { what: Reportable }) {
  const me = useMe()
  const peer = 'peer' in what ? what.peer : undefined
  const [items] = useState(() => ('peer' in what ? messagesOf(me, what) : []))
  const [ids, setIds] = useState<ReadonlySet<number>>(
    // The stranger alone has written the messages of a request, and a report without them says little.
    () => new Set(isOfRequest(what) ? items.map(({ id }) => id) : 'peer' in what && what.id ? [what.id] : []),
  )
  const [reason, setReason] = useState<Reason>()
  const [text, setText] = useState('')
  const [reveal, setReveal] = useState(false)
  const [block, setBlock] = useState(isOfRequest(what))
  const navigate = useNavigate()
  const chosen = items.filter(({ id }) => ids.has(id))
  const send = useMutation({
    mutationFn: async () => {
      const about = await aboutOf(what, chosen, reveal)
      const said = text.trim()
      await client.createReport({
        body: { ...about, reason: reason!, ...(said && { text: said }), ...(block && { block }) },
      })
    },
    onSuccess: () => {
      endReporting()
      showNotice(block ? `Reported and blocked ${what.title}` : `Reported ${what.title}`)
      // Every other decision about a request leads there too.
      if (block && isOfRequest(what)) void navigate('/requests', { replace: true })
    },
  })
  return (
    <Modal title={`Report ${what.title}`} onClose={endReporting}>
      <form
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (reason) send.mutate()
        }}
      >
        <fieldset className="grid gap-0.5">
          <legend className="pb-1 text-sm font-medium">What is wrong?</legend>
          {reasons.map(([name, label]) => (
            <CheckField
              key={name}
              type="radio"
              name="reason"
              label={label}
              checked={reason === name}
              onChange={() => setReason(name)}
            />
          ))}
        </fieldset>
        {items.length > 0 && (
          <Disclosure items={items} ids={ids} onChange={setIds} reveal={reveal} onReveal={setReveal} />
        )}
        <TextArea label="Anything else? (optional)" value={text} onChange={setText} />
        {peer && <CheckField label={`Block ${what.title} too`} checked={block} onChange={setBlock} />}
        <p className="text-sm text-pretty text-muted">
          {whatIsSeen(what.title, chosen.length, items.length > 0)} {what.title} won’t know.
        </p>
        <p role="alert" className="text-sm text-danger empty:hidden">
          {send.error && describeError(send.error)}
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={endReporting}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            busy={send.isPending}
            whyDisabled={!reason && 'Choose what is wrong.'}
          >
            Report
          </Button>
        </div>
      </form>
    </Modal>
  )
}

const isOfRequest = (what: Reportable): boolean => 'peer' in what && what.block === true

function whatIsSeen(title: string, count: number, hasMore: boolean): string {
  if (count === 1) return 'Operators will see this message, and that you reported it.'
  if (count > 1) return `Operators will see these ${count} messages, and that you reported them.`
  return `Operators will see that you reported ${title}, but no messages.${hasMore ? ' Add some to make it count.' : ''}`
}

async function aboutOf(what: Reportable, chosen: Item[], reveal: boolean): Promise<Partial<NewReport>> {
  if ('chat' in what) return { chat: what.chat }
  if (chosen.length === 0) return { peer: what.peer }
  const hasSealed = chosen.some((item) => kindOf(item) === 'provable')
  const keys = reveal && hasSealed ? await keysOf(chosen) : {}
  return {
    item_ids: chosen.map(({ id }) => id),
    ...(Object.keys(keys).length > 0 && { keys }),
  }
}
