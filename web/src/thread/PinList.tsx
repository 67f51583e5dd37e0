import { useEffect } from 'react'
import { PinOff } from 'lucide-react'
import { lineOf } from '../messages/said.ts'
import type { Message } from '../messages/message.ts'
import { shortTime } from '../state/time.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Modal } from '../ui/Modal.tsx'
import { setPinned } from './changes.ts'
import type { usePins } from './pins-of.ts'

interface Props {
  pins: ReturnType<typeof usePins>
  messages: Message[]
  mayPin: boolean
  goTo: (id: number) => void
  onHide: () => void
  onClose: () => void
}

/** Lists all pinned messages of a place: a click goes to one, and who may removes its pin. */
export function PinList({ pins, messages, mayPin, goTo, onHide, onClose }: Props) {
  const isEmpty = pins.length === 0
  useEffect(() => {
    if (isEmpty) onClose()
  }, [isEmpty, onClose])
  return (
    <Modal title="Pinned messages" onClose={onClose}>
      <ul className="grid grid-cols-1 gap-1">
        {pins.map(({ id, pinned_at }) => {
          const message = messages.find((one) => one.id === id)
          const text = message ? lineOf(message) : 'A message that is not loaded here yet'
          return (
            <li key={id} className="flex items-center gap-1 rounded-xl hover:bg-hover">
              <button
                type="button"
                onClick={() => {
                  onClose()
                  // The dialog gives the focus back first.
                  setTimeout(() => goTo(id), 50)
                }}
                className="min-h-11 min-w-0 flex-1 px-3 py-2 text-start"
              >
                <span className="block truncate text-sm text-muted">
                  {message && `${message.mine ? 'You' : message.author} · `}pinned {shortTime(pinned_at)}
                </span>
                <span dir="auto" className="line-clamp-2 wrap-anywhere">
                  {text}
                </span>
              </button>
              {mayPin && (
                <IconButton
                  label={`Unpin: ${text.slice(0, 40)}`}
                  title="Unpin"
                  onClick={() => void setPinned(id, false)}
                >
                  <PinOff className="size-4" aria-hidden="true" />
                </IconButton>
              )}
            </li>
          )
        })}
      </ul>
      <Button
        onClick={() => {
          onClose()
          onHide()
        }}
      >
        Hide for me until the next pin
      </Button>
    </Modal>
  )
}
