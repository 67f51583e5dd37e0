import { Pencil, Pin, PinOff, Reply } from 'lucide-react'
import { basicEmoji, emojiName } from '../messages/emoji/names.ts'
import type { Message } from '../messages/message.ts'
import { MenuItem, MenuItemRow, MenuLine } from '../ui/Menu.tsx'
import { mayEdit, mayReact, setPinned, shownAbout, useThreadChanges } from './changes.ts'
import { toggleReaction } from './reactions.ts'

/** Lists what one does with a message of a thread: react, reply, edit, pin. */
export function ChangeItems({ message }: { message: Message }) {
  const changes = useThreadChanges()
  if (!changes || !mayReact(message)) return null
  const { isOpen, mayPin, begin } = changes
  const { id, reactions, pinned } = message
  const own = new Set(reactions?.filter(({ mine }) => mine).map(({ value }) => value))
  return (
    <>
      {isOpen && (
        <>
          <MenuItemRow
            label="React"
            items={[
              ...basicEmoji.map((value) => ({
                key: value,
                isOn: own.has(value),
                label: own.has(value) ? `${emojiName(value)}, take back` : `React with ${emojiName(value)}`,
                onSelect: () => void toggleReaction(id, reactions, value),
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
          <MenuItem icon={<Reply />} onSelect={() => begin({ kind: 'reply', message })}>
            Reply
          </MenuItem>
          {mayEdit(message) && (
            <MenuItem icon={<Pencil />} onSelect={() => begin({ kind: 'edit', message })}>
              Edit
            </MenuItem>
          )}
        </>
      )}
      {mayPin && (
        <MenuItem icon={pinned ? <PinOff /> : <Pin />} onSelect={() => void setPinned(id, !pinned)}>
          {pinned ? 'Unpin' : 'Pin'}
        </MenuItem>
      )}
      {(isOpen || mayPin) && <MenuLine />}
    </>
  )
}
