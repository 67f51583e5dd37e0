import { Copy } from 'lucide-react'
import { withChecksum } from '../first-run/link.ts'
import { PictureField } from '../images/PictureField.tsx'
import { NameField } from '../names/NameField.tsx'
import { AddressBlocks } from '../seal/AddressBlocks.tsx'
import { Card } from '../ui/Card.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { copy } from '../state/notice.ts'

/** Shows the parts of the wallet that others see. */
export const ProfileSettings = ({ address }: { address: string }) => (
  <Card>
    <PictureField address={address} />
    <NameField address={address} />
    <div className="flex items-center justify-between gap-2">
      <AddressBlocks address={withChecksum(address)} />
      <IconButton
        label="Copy your address"
        onClick={() => void copy(withChecksum(address), 'Address copied')}
      >
        <Copy className="size-4" />
      </IconButton>
    </div>
  </Card>
)
