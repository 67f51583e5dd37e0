import { useMutation } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { cache, client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../state/notice.ts'

/** Says what a bot is and that this is permanent, and makes the wallet one. */
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
        This can’t be undone. It ends only when you erase the wallet here.
      </p>
      <ul className="grid list-disc gap-1.5 ps-5 text-sm text-pretty text-muted">
        <li>Everyone sees “Bot” beside the name.</li>
        <li>Bots can’t start conversations. They can only answer, and so can you with this wallet.</li>
        <li>In chats nothing changes.</li>
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
