import { EllipsisVertical, MessagesSquare, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { cache, client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { changeItems } from '../thread/history.ts'
import { NftPicture } from '../nfts/NftPicture.tsx'
import { useNft } from '../nfts/nft.ts'
import { useName } from '../names/profile.ts'
import { useMe } from '../service/session.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../state/notice.ts'
import { BackLink } from '../ui/BackLink.tsx'
import { useTitle } from '../state/title.ts'

interface Props {
  nftaddr: string
  nftid: string
  /** This is true when the reader has commented. */
  own: boolean
}

export function CommentsHeader({ nftaddr, nftid, own }: Props) {
  const me = useMe()
  const navigate = useNavigate()
  const { name } = useName(nftaddr)
  const nft = useNft({ nftaddr, nftid })
  const title = name && !nft.collection ? `${name} #${nftid}` : nft.title
  useTitle(`Comments on ${title}`)
  const [asking, setAsking] = useState(false)
  const remove = async () => {
    setAsking(false)
    try {
      await client.deleteComments({ fromaddr: me, nftaddr, nftid })
      changeItems('listComments', (item) =>
        item.fromaddr === me && item.nftaddr === nftaddr && String(item.nftid) === nftid ? undefined : item,
      )
      void cache.invalidateQueries({ queryKey: ['listComments'] })
    } catch (error) {
      showNotice(describeError(error))
    }
  }
  return (
    <header className="flex h-16 shrink-0 items-center gap-3 border-b border-line bg-surface px-3 sm:px-4">
      <BackLink />
      <NftPicture url={nft.picture} nftaddr={nftaddr} className="size-10 rounded-xl" />
      <div className="min-w-0 flex-1 leading-tight">
        <h1 className="truncate text-base font-semibold" dir="auto">
          {title}
        </h1>
        <p className="truncate text-sm text-muted">Public comments</p>
      </div>
      <Menu
        trigger={
          <IconButton label="Comment options">
            <EllipsisVertical className="size-5" />
          </IconButton>
        }
      >
        <MenuItem icon={<MessagesSquare />} onSelect={() => void navigate(`/nft/${nftaddr}`)}>
          Chat of this contract
        </MenuItem>
        {own && (
          <MenuItem icon={<Trash2 />} danger onSelect={() => setAsking(true)}>
            Delete my comments
          </MenuItem>
        )}
      </Menu>
      {asking && (
        <Modal title="Delete your comments?" onClose={() => setAsking(false)}>
          <p className="text-pretty text-muted">All of your comments on this token are deleted.</p>
          <div className="flex justify-end gap-2">
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button variant="danger" onClick={() => void remove()}>
              Delete them
            </Button>
          </div>
        </Modal>
      )}
    </header>
  )
}
