import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { TextField } from '../ui/TextField.tsx'

/** Lets the user enter a token id and opens its comments. */
export function OpenComments({ nftaddr, onClose }: { nftaddr: string; onClose: () => void }) {
  const navigate = useNavigate()
  const [nftid, setNftid] = useState('')
  const ready = /^\d{1,78}$/.test(nftid.trim())
  return (
    <Modal title="Comments on a token" onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!ready) return
          onClose()
          void navigate(`/nft/${encodeURIComponent(nftaddr)}/${nftid.trim()}`)
        }}
      >
        <TextField
          label="Token id"
          placeholder="721"
          inputMode="numeric"
          autoComplete="off"
          value={nftid}
          onChange={(event) => setNftid(event.target.value)}
        />
        <Button
          type="submit"
          variant="primary"
          whyDisabled={!ready && 'Enter the id of the token, in digits.'}
        >
          Open comments
        </Button>
      </form>
    </Modal>
  )
}
