import { useQuery } from '@tanstack/react-query'
import { CircleAlert, ImageIcon, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { foundWallet } from '../names/find.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { isEvmAddress, looksLikeAddress, shortAddress } from '../seal/address.ts'
import { cache } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useSettled } from '../state/settled.ts'
import { useChooser } from '../ui/chooser.tsx'
import { Modal } from '../ui/Modal.tsx'
import { TextField } from '../ui/TextField.tsx'
import { FoundWallet } from './FoundWallet.tsx'
import { type FoundChat, useFoundChats } from './found.tsx'

/**
 * Starts a conversation with somebody by their address or name, or in a chat. One field searches and takes what is
 * pasted; its results are below it, and at first the latest conversations.
 */
export function NewConversation({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [who, setWho] = useState('')
  const [problem, setProblem] = useState<string>()
  const text = who.trim()
  const settled = useSettled(text, 300)
  const { data: found } = useQuery({ ...foundWallet(settled), enabled: settled.length > 2 })
  const address = settled === text && found && 'address' in found ? found.address : undefined
  const instead = settled === text && found && 'problem' in found ? found.instead : undefined
  const chats = useFoundChats(text, { latest: 5, most: 8 })
  const choices = [
    ...(address ? [personAt(address, text)] : []),
    ...(instead ? [otherName(instead)] : []),
    ...chats.filter(({ to }) => to !== `/dm/${address}`),
    ...(address && isEvmAddress(text) ? [nftChatOf(text)] : []),
  ]
  const open = (path: string) => {
    onClose()
    void navigate(path)
  }
  /** An exact name or address has priority over the other results. */
  const onEnter = async (current: FoundChat | undefined, isPointedAt: boolean) => {
    if (!text || isPointedAt) return current && open(current.to)
    try {
      const answer = await cache.fetchQuery(foundWallet(text))
      if ('address' in answer) open(`/dm/${encodeURIComponent(answer.address)}`)
      else if ('path' in answer) open(answer.path)
      else if (current && !answer.instead)
        open((chats.find(({ label }) => label.toLowerCase() === text.toLowerCase()) ?? current).to)
      else setProblem(answer.problem)
    } catch (error) {
      setProblem(describeError(error))
    }
  }
  const { attributes, list } = useChooser({
    id: 'start-choices',
    text,
    choices,
    none: 'Nothing found yet. A person is found by the whole name or address.',
    onChoose: ({ to }) => open(to),
    onEnter: (...at) => void onEnter(...at),
  })
  return (
    <Modal title="New conversation" onClose={onClose}>
      <TextField
        {...attributes}
        label="Wallet address or name"
        placeholder="0x…, a name, or a link"
        enterKeyHint="go"
        value={who}
        error={problem}
        onChange={(event) => {
          setWho(event.target.value)
          setProblem(undefined)
        }}
      />
      {/* It is there in the same moment as the choices below it, which would else move under a pointer. */}
      {address && <FoundWallet address={address} />}
      {list}
      <Link
        to="/communities/new"
        onClick={onClose}
        className="flex min-h-14 items-center gap-3 border-t border-line px-2 pt-3 -outline-offset-2 hover:bg-hover"
      >
        <span className={symbol} aria-hidden="true">
          <Plus className="size-5" />
        </span>
        <span className="grid">
          <span className="font-medium">Create a community</span>
          <span className="text-sm text-muted">Start a group with its own page</span>
        </span>
      </Link>
    </Modal>
  )
}

const symbol = 'grid size-10 shrink-0 place-items-center text-muted'

const personAt = (address: string, typed: string): FoundChat => ({
  key: `to ${address}`,
  label: `Message ${looksLikeAddress(typed) || typed.includes('/') ? shortAddress(address) : typed}`,
  hint: shortAddress(address),
  group: 'Person',
  icon: <Avatar seed={address} />,
  to: `/dm/${encodeURIComponent(address)}`,
})

const otherName = (name: string): FoundChat => ({
  key: `name ${name}`,
  label: `Look up ${name}`,
  hint: 'This is how ENS writes it',
  group: 'Person',
  icon: (
    <span className={symbol} aria-hidden="true">
      <CircleAlert className="size-5" />
    </span>
  ),
  to: `/dm/${encodeURIComponent(name)}`,
})

const nftChatOf = (contract: string): FoundChat => ({
  key: `nft ${contract}`,
  label: 'Open an NFT chat',
  hint: 'For the address of a collection',
  group: 'Chats',
  icon: (
    <span className={symbol} aria-hidden="true">
      <ImageIcon className="size-5" />
    </span>
  ),
  to: `/nft/${encodeURIComponent(contract)}`,
})
