import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { describeError } from '../service/describe-error.ts'
import { Button } from '../ui/Button.tsx'
import { Choices } from '../ui/Choices.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../state/notice.ts'
import { day, hour } from '../state/time.ts'
import { TextArea } from '../ui/TextArea.tsx'
import { restrict } from './restrictions.ts'
import { endRestricting, type Restrictable } from './restricting.ts'

const ends = { hour, day, week: 7 * day, ever: undefined }
type End = keyof typeof ends
const choices: { value: End; label: string }[] = [
  { value: 'hour', label: '1 hour' },
  { value: 'day', label: '1 day' },
  { value: 'week', label: '1 week' },
  { value: 'ever', label: 'Forever' },
]

const words = {
  mute: { verb: 'Mute', done: 'Muted', effect: 'They can read but not post.' },
  ban: { verb: 'Ban', done: 'Banned', effect: 'They can’t read or post.' },
}

/** Lets a moderator choose for how long a wallet may not post in a chat or read it, and why. */
export function RestrictDialog({ what: { nftaddr, wallet, title, how } }: { what: Restrictable }) {
  const [end, setEnd] = useState<End>('day')
  const [reason, setReason] = useState('')
  const { verb, done, effect } = words[how]
  const act = useMutation({
    mutationFn: () => {
      const lasts = ends[end]
      const until = lasts === undefined ? 'forever' : new Date(Date.now() + lasts).toISOString()
      const field = how === 'mute' ? { muted_until: until } : { banned_until: until }
      return restrict(nftaddr, wallet, { ...field, reason: reason.trim() })
    },
    onSuccess: () => {
      endRestricting()
      showNotice(`${done} ${title}`)
    },
  })
  return (
    <Modal title={`${verb} ${title} here?`} onClose={endRestricting}>
      <form
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          act.mutate()
        }}
      >
        <p className="text-sm text-pretty text-muted">{effect} Only in this chat.</p>
        <Choices legend="For how long" choices={choices} chosen={end} onChange={setEnd} />
        <TextArea
          label="Why (optional)"
          hint="They and the moderators can read this."
          most={512}
          value={reason}
          onChange={setReason}
        />
        <p role="alert" className="text-sm text-danger empty:hidden">
          {act.error && describeError(act.error)}
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={endRestricting}>Cancel</Button>
          <Button type="submit" variant="danger" busy={act.isPending}>
            {verb}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
