import { Pencil, Pin, PinOff, Reply } from 'lucide-react'
import type { Message } from '../messages/message.ts'
import { MenuItem, MenuItemRow, MenuLine } from '../ui/Menu.tsx'
import { mayEdit, mayPin, mayReact, mayReply, setPinned, useThreadChanges } from './changes.ts'
import { basicReactions } from './reactions.ts'

/** Lists what one does with a message of a thread: react, reply, edit, pin. */
export function ChangeItems({ message }: { message: Message }) {
  const changes = useThreadChanges()
  if (!changes) return null
  const { way, begin, react } = changes
  const { id, reactions, pinned } = message
  const own = new Set(reactions?.filter(({ mine }) => mine).map(({ value }) => value))
  const isPinnable = changes.mayPin && mayPin(message)
  return (
    <>
      {mayReact(message, way) && (
        <MenuItemRow
          label="React"
          items={basicReactions.map((value) => ({
            key: value,
            isOn: own.has(value),
            label: own.has(value) ? `${value}, take back` : `React with ${value}`,
            onSelect: () => react(message, value),
          }))}
        />
      )}
      {mayReply(message, way) && (
        <MenuItem icon={<Reply />} onSelect={() => begin({ kind: 'reply', message })}>
          Reply
        </MenuItem>
      )}
      {mayEdit(message, way) && (
        <MenuItem icon={<Pencil />} onSelect={() => begin({ kind: 'edit', message })}>
          Edit
        </MenuItem>
      )}
      {isPinnable && (
        <MenuItem icon={pinned ? <PinOff /> : <Pin />} onSelect={() => void setPinned(id, !pinned)}>
          {pinned ? 'Unpin' : 'Pin'}
        </MenuItem>
      )}
      {(mayReply(message, way) || isPinnable) && <MenuLine />}
    </>
  )
}
