import { NotOfficial } from '../seal/NotOfficial.tsx'
import { OfficialSign } from '../seal/OfficialSign.tsx'
import { BotMark } from './BotMark.tsx'
import { useSign } from './official.ts'

interface Props {
  address: string
  /** The wallet has chosen this name; empty without one. */
  name?: string
  /** When true, it is read after what is shown first. */
  mayWait?: boolean
  /** When true, the sign is written out. */
  whole?: boolean
}

/** Shows beside the name of a wallet that it is on the team of the service, that it only says so, or that it is a bot. */
export function WalletMark({ address, name = '', mayWait = false, whole = false }: Props) {
  return (
    <>
      <TeamMark {...{ address, name, mayWait, whole }} />
      <BotMark address={address} mayWait={mayWait} />
    </>
  )
}

export function TeamMark({ address, name = '', mayWait = false, whole = false }: Props) {
  const sign = useSign(address, name, mayWait)
  if (sign?.label) return <OfficialSign label={sign.label} host={sign.host} whole={whole} />
  return sign?.isFalse ? <NotOfficial /> : null
}
