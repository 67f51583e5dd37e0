import { useState } from 'react'
import { useNavigate } from 'react-router'
import { isEvmAddress } from '../ui/address.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { TextField } from '../ui/TextField.tsx'

/** Asks for the NFT that the conversation is about. */
export function NftContext({ peer, onClose }: { peer: string; onClose: () => void }) {
  const navigate = useNavigate()
  const [nftaddr, setNftaddr] = useState('')
  const [nftid, setNftid] = useState('')
  const ready = isEvmAddress(nftaddr.trim()) && /^\S{1,128}$/.test(nftid.trim())
  return (
    <Modal title="Talk about an NFT" onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!ready) return
          onClose()
          const about = new URLSearchParams({ nft: nftaddr.trim(), token: nftid.trim() })
          void navigate(`/dm/${encodeURIComponent(peer)}?${about}`)
        }}
      >
        <TextField
          label="Contract address"
          placeholder="0x…"
          spellCheck={false}
          autoComplete="off"
          value={nftaddr}
          onChange={(event) => setNftaddr(event.target.value)}
        />
        <TextField
          label="Token id"
          placeholder="721"
          autoComplete="off"
          value={nftid}
          onChange={(event) => setNftid(event.target.value)}
        />
        <Button type="submit" variant="primary" disabled={!ready}>
          Continue
        </Button>
      </form>
    </Modal>
  )
}
