import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { cache, client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useMe } from '../service/session.ts'
import { showNotice } from '../state/notice.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { type Announceable, endAnnouncing, people, useAnnouncing, whyNotNow } from './announcing.ts'

/** Lets the owner or a moderator of a chat announce one of their posts, or write one. */
export function AnnounceDialog({ what: { nftaddr, id, text } }: { what: Announceable }) {
  const fromaddr = useMe()
  const [message, setMessage] = useState('')
  const [posted, setPosted] = useState(id)
  const { data, error } = useAnnouncing(nftaddr)
  const post = async () => {
    const [stored] = await client.postGroupMessage({ body: { fromaddr, nftaddr, message: message.trim() } })
    // Where only the announcement fails, the next attempt does not post again.
    setPosted(stored!.id)
    return stored!.id
  }
  const announce = useMutation({
    mutationFn: async () => client.announcePost({ id: posted ?? (await post()) }),
    onSuccess: () => {
      endAnnouncing()
      showNotice('Announced')
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['getAnnouncing'] }),
  })
  const why = data && whyNotNow(data)
  const isEmpty = posted === undefined && message.trim() === ''
  return (
    <Modal title="Announce" onClose={endAnnouncing}>
      {!data && !error && <Spinner />}
      <form
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          announce.mutate()
        }}
      >
        {data && (
          <p className="text-sm text-pretty text-muted">
            {`This notifies ${people(data.agreed)} in this chat who agreed to announcements: by push, Telegram and mail. It is possible once in 24 hours, for a community and its rooms together. Everyone in the chat can see that it is an announcement.`}
          </p>
        )}
        {id === undefined ? (
          <TextArea
            label="Your announcement"
            rows={4}
            most={4000}
            value={message}
            readOnly={posted !== undefined}
            onChange={setMessage}
          />
        ) : (
          <p className="line-clamp-6 rounded-xl border border-line p-3 whitespace-pre-wrap wrap-anywhere">
            {text}
          </p>
        )}
        <p role="alert" className="text-sm text-pretty wrap-anywhere text-danger empty:hidden">
          {announce.error ? describeError(announce.error) : error ? describeError(error) : why}
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={endAnnouncing}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            busy={announce.isPending}
            whyDisabled={why ?? (isEmpty && 'Write something first.')}
          >
            {data ? `Announce to ${people(data.agreed)}` : 'Announce'}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
