import { useChatLabel } from './chat-team.ts'

/** Shows beside a name that the owner of the chat has named this wallet as one of its team. It does not look like the sign of the service. */
export function ChatTeamMark({ address }: { address: string }) {
  const found = useChatLabel(address)
  if (!found) return null
  const words = `Team of ${found.title}: ${found.label}`
  return (
    <span
      role="img"
      aria-label={words}
      title={words}
      className="ms-0.5 inline-block max-w-36 shrink-0 truncate rounded-md border border-line-strong px-1.5 align-middle text-xs leading-4.5 font-medium text-muted"
    >
      {found.label}
    </span>
  )
}
