import { MessageCircleMore } from 'lucide-react'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useTitle } from '../ui/title.ts'

/** Shown beside the inbox while no conversation is open. */
export function StartPage() {
  useTitle('Chats')
  return (
    <div className="grid h-full">
      <h1 className="sr-only">Parley</h1>
      <div className="hidden md:grid">
        <EmptyState icon={<MessageCircleMore className="size-7" />} title="Choose a conversation">
          Or start a new one with any wallet, by its address or its name.
        </EmptyState>
      </div>
    </div>
  )
}
