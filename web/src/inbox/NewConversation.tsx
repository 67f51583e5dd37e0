import { ImageIcon, MessageCircle, Plus, Users } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { describeError } from '../service/api.ts'
import { findPeer } from '../names/find.ts'
import { isEvmAddress } from '../ui/address.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { TextField } from '../ui/TextField.tsx'
import { StartChoice } from './StartChoice.tsx'

/** Starts a conversation: with a wallet by its address or name, in an NFT chat, in a community. */
export function NewConversation({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [who, setWho] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const text = who.trim()
  const open = (path: string) => {
    onClose()
    void navigate(path)
  }
  const search = async () => {
    setBusy(true)
    try {
      const address = await findPeer(text)
      if (address) open(`/dm/${encodeURIComponent(address)}`)
      else setProblem('Nobody has this name here. Ask for the address: 0x and 40 characters.')
    } catch (error) {
      setProblem(describeError(error))
    }
    setBusy(false)
  }
  return (
    <Modal title="New conversation" onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (text) void search()
        }}
      >
        <TextField
          label="Wallet address or name"
          placeholder="0x… or a name"
          value={who}
          error={problem}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setWho(event.target.value)
            setProblem(undefined)
          }}
        />
        <Button type="submit" variant="primary" busy={busy} disabled={!text}>
          <MessageCircle className="size-4" aria-hidden="true" /> Write a message
        </Button>
      </form>
      <div className="grid gap-1 border-t border-line pt-3">
        <StartChoice
          to={`/nft/${encodeURIComponent(text)}`}
          disabled={!isEvmAddress(text)}
          onClose={onClose}
          icon={<ImageIcon className="size-5" />}
          title="Open an NFT chat"
          hint={
            isEvmAddress(text)
              ? 'Everybody who joins this contract'
              : 'Enter the address of its contract above'
          }
        />
        <StartChoice
          to={`/c/${encodeURIComponent(text)}`}
          disabled={!/^[^\s/]+$/.test(text) || isEvmAddress(text)}
          onClose={onClose}
          icon={<Users className="size-5" />}
          title="Open a community"
          hint={text && !isEvmAddress(text) ? `The community “${text}”` : 'Enter its name above'}
        />
        <StartChoice
          to="/communities/new"
          onClose={onClose}
          icon={<Plus className="size-5" />}
          title="Create a community"
          hint="A name, and where else it is found"
        />
      </div>
    </Modal>
  )
}
