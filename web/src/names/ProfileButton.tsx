import type { ReactNode } from 'react'
import { showProfile } from './card.ts'

interface Props {
  address: string
  /** What the wallet is called where the button stands. */
  name: string
  /** Whether its card shows the seal alone. */
  sealOnly?: boolean
  /** Its picture. */
  children: ReactNode
}

/** A picture of a wallet that shows its card. What is touched is larger than the picture. */
export const ProfileButton = ({ address, name, sealOnly = false, children }: Props) => (
  <button
    type="button"
    aria-label={`Profile of ${name}`}
    title={address}
    onClick={() => showProfile(address, sealOnly)}
    className="relative block shrink-0 rounded-full before:absolute before:-inset-2"
  >
    {children}
  </button>
)
