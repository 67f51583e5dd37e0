import { useComments } from '@parley/react'
import type { About } from './place.ts'
import { Thread } from './Thread.tsx'

interface Props {
  nft: About
  me: string
  openOwn: string
}

export function Comments({ nft, me, openOwn }: Props) {
  const thread = useComments(nft)
  return (
    <Thread
      {...{ me, openOwn, thread }}
      label="Comment"
      isNamed
      readers="Comments are public: everyone can read what you write."
    />
  )
}
