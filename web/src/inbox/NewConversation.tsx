import { useQuery } from '@tanstack/react-query'
import { ImageIcon, MessageCircle, Plus, Users } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { foundWallet } from '../names/find.ts'
import { cache, describeError } from '../service/api.ts'
import { isEvmAddress } from '../ui/address.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { useSettled } from '../ui/settled.ts'
import { TextField } from '../ui/TextField.tsx'
import { StartChoice } from './StartChoice.tsx'

const FoundWallet = lazy(async () => ({ default: (await import('./FoundWallet.tsx')).FoundWallet }))

/** Starts a conversation: with a wallet by its address or name, in an NFT chat, in a community. */
export function NewConversation({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [who, setWho] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const text = who.trim()
  const settled = useSettled(text, 300)
  const { data: found } = useQuery({ ...foundWallet(settled), enabled: settled.length > 2 })
  const address = settled === text && found && 'address' in found ? found.address : undefined
  const open = (path: string) => {
    onClose()
    void navigate(path)
  }
  const search = async () => {
    setBusy(true)
    try {
      const answer = await cache.fetchQuery(foundWallet(text))
      if ('address' in answer) open(`/dm/${encodeURIComponent(answer.address)}`)
      else if ('path' in answer) open(answer.path)
      else setProblem(answer.problem)
    } catch (error) {
      setProblem(describeError(error))
    }
    setBusy(false)
  }
  return (
    <Modal title="New conversation" onClose={onClose}>
      <form
        className="grid grid-cols-1 gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (text) void search()
        }}
      >
        <TextField
          label="Wallet address or name"
          placeholder="0x…, a name, or a link"
          value={who}
          error={problem}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => {
            setWho(event.target.value)
            setProblem(undefined)
          }}
        />
        <Suspense>{address && <FoundWallet address={address} />}</Suspense>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          whyDisabled={!text && 'Enter an address, a name or a link.'}
        >
          <MessageCircle className="size-4" aria-hidden="true" /> Write a message
        </Button>
      </form>
      <div className="grid grid-cols-1 gap-1 border-t border-line pt-3">
        <StartChoice
          to={isEvmAddress(text) ? `/nft/${encodeURIComponent(text)}` : undefined}
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
          to={
            /^\S{1,128}$/.test(text) && !isEvmAddress(text) && !text.includes('://')
              ? `/c/${encodeURIComponent(text)}`
              : undefined
          }
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
