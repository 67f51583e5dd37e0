import { useMutation } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { cache, client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../ui/notice.ts'

/** Says what a bot is and that this is for good, and makes the wallet one. */
export function BecomeBot({ onClose }: { onClose: () => void }) {
  const marking = useMutation({
    mutationFn: () => client.becomeBot(),
    onSuccess: () => {
      for (const key of ['getBot', 'listBots', 'listMembers'])
        void cache.invalidateQueries({ queryKey: [key] })
      showNotice('This wallet is a bot now')
      onClose()
    },
  })
  return (
    <Modal title="Make this wallet a bot?" onClose={onClose}>
      <p className="flex gap-2 rounded-xl bg-warn-soft p-3 text-sm text-pretty text-warn">
        <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        This cannot be taken back. It ends only when you erase the wallet here.
      </p>
      <ul className="grid list-disc gap-1.5 ps-5 text-sm text-pretty text-muted">
        <li>Everybody sees “Bot” beside its name.</li>
        <li>
          It begins no conversations: it sends direct messages only to wallets that have written to it. That
          holds for you too when you write here.
        </li>
        <li>In chats it posts as before.</li>
      </ul>
      <Problem error={marking.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" busy={marking.isPending} onClick={() => marking.mutate()}>
          Make it a bot for good
        </Button>
      </div>
    </Modal>
  )
}
