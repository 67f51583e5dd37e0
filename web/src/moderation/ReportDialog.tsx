import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, describeError } from '../service/api.ts'
import { useMe } from '../service/session.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../ui/notice.ts'
import { CheckField } from './CheckField.tsx'
import { Disclosure } from './Disclosure.tsx'
import { type Item, keysOf, kindOf, messagesOf } from './evidence.ts'
import { endReporting, type Reportable } from './reporting.ts'
import { TextArea } from '../ui/TextArea.tsx'

type NewReport = Parameters<typeof client.createReport>[0]['body']
type Reason = NewReport['reason']

const reasons: [Reason, string][] = [
  ['spam', 'Spam: advertising that nobody asked for'],
  ['scam', 'A scam: it wants money, keys or a signature'],
  ['impersonation', 'It pretends to be somebody else'],
  ['abuse', 'Abuse: threats, hate or harassment'],
  ['illegal', 'It is against the law'],
  ['other', 'Something else'],
]

/** Reports a wallet, some of its messages or a chat to the operators, and says what they see. */
export function ReportDialog({ what }: { what: Reportable }) {
  const me = useMe()
  const peer = 'peer' in what ? what.peer : undefined
  const [items] = useState(() => ('peer' in what ? messagesOf(me, what) : []))
  const [ids, setIds] = useState<ReadonlySet<number>>(
    () => new Set('peer' in what && what.id ? [what.id] : []),
  )
  const [reason, setReason] = useState<Reason>()
  const [text, setText] = useState('')
  const [reveal, setReveal] = useState(false)
  const [block, setBlock] = useState('peer' in what && what.block === true)
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
      showNotice(block ? 'Reported, and blocked.' : 'Reported. The operators look at it.')
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
        <TextArea label="What else should they know? (optional)" value={text} onChange={setText} />
        {peer && <CheckField label={`Block ${what.title} too`} checked={block} onChange={setBlock} />}
        <p className="text-sm text-pretty text-muted">
          {chosen.length > 0
            ? 'The operators of this service see who reports, and the messages that are chosen here. They see no others.'
            : 'The operators of this service see who reports, and no messages.'}{' '}
          {what.title} is not told.
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
