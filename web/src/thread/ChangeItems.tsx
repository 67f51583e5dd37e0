import { Pencil, Pin, PinOff, Reply } from 'lucide-react'
import { basicEmoji, emojiName } from '../messages/emoji/names.ts'
import type { Message } from '../messages/message.ts'
import { MenuItem, MenuItemRow, MenuLine } from '../ui/Menu.tsx'
import { mayEdit, mayPin, mayReact, mayReply, setPinned, shownAbout, useThreadChanges } from './changes.ts'

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
          items={[
            ...basicEmoji.map((value) => ({
              key: value,
              isOn: own.has(value),
              label: own.has(value) ? `${emojiName(value)}, take back` : `React with ${emojiName(value)}`,
              onSelect: () => react(message, value),
            })),
            {
              key: '+',
              isOn: false,
              label: 'All emoji',
              // The menu closes and gives the focus back first.
              onSelect: () => void setTimeout(() => shownAbout.set({ what: 'picker', message }), 50),
            },
          ]}
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
