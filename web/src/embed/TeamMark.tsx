import { NotOfficial } from '../seal/NotOfficial.tsx'
import { OfficialSign } from '../seal/OfficialSign.tsx'
import { type Team, useFalseClaim } from './official.ts'

interface Props {
  address: string
  /** The wallet has chosen this name; empty without one. */
  name: string
  team: Team
}

/** Shows beside a name that the wallet is on the team of the service, or that its name only says so. */
export function TeamMark({ address, name, team }: Props) {
  const label = team?.get(address.toLowerCase())
  const isFalse = useFalseClaim(label ? '' : name, team)
  if (label) return <OfficialSign label={label} host={location.host} />
  return isFalse ? <NotOfficial /> : null
}
