import { useChat } from '@parley/react'
import { Thread } from './Thread.tsx'

interface Props {
  chat: string
  me: string
  openOwn: string
  team: ReadonlyMap<string, string>
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
