import { useChat } from '@parley/react'
import type { Team } from './official.ts'
import { Thread } from './Thread.tsx'

interface Props {
  chat: string
  me: string
  openOwn: string
  team: Team
}

export function Chat({ chat, me, openOwn, team }: Props) {
  const thread = useChat(chat)
  return (
    <Thread
      {...{ me, openOwn, team, thread }}
      label="Message to the chat"
      isNamed
      readers="Not encrypted: everyone who may read this chat sees what you post."
    />
  )
}
