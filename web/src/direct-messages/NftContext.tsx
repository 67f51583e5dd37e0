import { useState } from 'react'
import { useNavigate } from 'react-router'
import { NftSummary } from '../nfts/NftSummary.tsx'
import { parseNft } from '../nfts/nft.ts'
import { pathAbout } from '../nfts/path.ts'
import { isEvmAddress } from '../seal/address.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { TextField } from '../ui/TextField.tsx'

interface Props {
  peer: string
  title: string
  onClose: () => void
}

/** Lets the user enter the NFT that the conversation is about, and shows it. */
export function NftContext({ peer, title, onClose }: Props) {
  const navigate = useNavigate()
  const [contract, setContract] = useState('')
  const [id, setId] = useState('')
  const [nftaddr, nftid] = [contract.trim().toLowerCase(), id.trim()]
  const ready = isEvmAddress(nftaddr) && /^\S{1,128}$/.test(nftid)
  return (
    <Modal title="Talk about an NFT" onClose={onClose}>
      <form
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!ready) return
          onClose()
          void navigate(pathAbout(peer, { nftaddr, nftid }))
        }}
      >
        <TextField
          label="Contract address"
          hint="Or a link to the NFT at a marketplace"
          placeholder="0x…"
          spellCheck={false}
          autoComplete="off"
          value={contract}
          onChange={({ target: { value } }) => {
            const found = parseNft(value)
            setContract(found?.nftaddr ?? value)
            if (found) setId(found.nftid)
          }}
        />
        <TextField
          label="Token id"
          placeholder="721"
          autoComplete="off"
          value={id}
          onChange={(event) => setId(event.target.value)}
        />
        {ready && (
          <div className="flex items-center gap-3 rounded-xl border border-line p-2">
            <NftSummary nftaddr={nftaddr} nftid={nftid} peer={peer} peerName={title} />
          </div>
        )}
        <Button
          type="submit"
          variant="primary"
          whyDisabled={
            !ready &&
            (isEvmAddress(nftaddr)
              ? 'Enter the id of the token.'
              : 'Enter the address of the contract: 0x and 40 characters.')
          }
        >
          Continue
        </Button>
      </form>
    </Modal>
  )
}
