import { useMutation } from '@tanstack/react-query'
import { WalletName } from '../names/WalletName.tsx'
import { client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../state/notice.ts'
import { keepModerators } from './roles.ts'

interface Props {
  nftaddr: string
  wallet: string
  onClose: () => void
}

/** Confirms that another wallet becomes the owner of the chat. */
export function HandOver({ nftaddr, wallet, onClose }: Props) {
  const give = useMutation({
    mutationFn: () => client.handOverChat({ nftaddr, body: { walletaddr: wallet } }),
    onSuccess: (after) => {
      keepModerators(nftaddr, after)
      onClose()
      showNotice('Handed over: you are a moderator now')
    },
  })
  return (
    <Modal title="Hand over this chat?" onClose={onClose}>
      <p className="text-pretty text-muted">
        <WalletName address={wallet} /> becomes the owner. You stay a moderator until they change that. This
        can’t be undone.
      </p>
      <Problem error={give.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" busy={give.isPending} onClick={() => give.mutate()}>
          Hand over
        </Button>
      </div>
    </Modal>
  )
}
