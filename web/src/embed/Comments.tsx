import { useComments } from '@parley/react'
import type { About } from './place.ts'
import type { Team } from './official.ts'
import { Thread } from './Thread.tsx'

interface Props {
  nft: About
  me: string
  openOwn: string
  team: Team
}

export function Comments({ nft, me, openOwn, team }: Props) {
  const thread = useComments(nft)
  return (
    <Thread
      {...{ me, openOwn, team, thread }}
      label="Comment"
      isNamed
      readers="Comments are public: everyone can read what you write."
    />
  )
}
