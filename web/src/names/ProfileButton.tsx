import type { ReactNode } from 'react'
import { showProfile } from './card.ts'

interface Props {
  address: string
  /** What the wallet is called where the button stands. */
  name: string
  /** Its picture. */
  children: ReactNode
}

/** A picture of a wallet that shows its card. What is touched is larger than the picture. */
export const ProfileButton = ({ address, name, children }: Props) => (
  <button
    type="button"
    aria-label={`Profile of ${name}`}
    title={address}
    onClick={() => showProfile(address)}
    className="relative block shrink-0 rounded-full before:absolute before:-inset-2"
  >
    {children}
  </button>
)
