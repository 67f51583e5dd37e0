import { Camera, FileText, Image, Mic, Plus } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { Menu, MenuItem } from '../ui/Menu.tsx'

const hasTouch = () => matchMedia('(pointer: coarse)').matches

interface Props {
  onAdd: (files: File[]) => void
  /** Begins a voice note; omitted where the browser cannot record one. */
  onRecord: (() => void) | undefined
}

/** Opens a menu of what can be added to the message. Ctrl, Shift and U choose files. */
export function AddFiles({ onAdd, onRecord }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const choose = (accept: string, capture?: string) => open(input, accept, capture)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event
    if (!(ctrlKey || metaKey) || !shiftKey || altKey || key.toLowerCase() !== 'u') return
    if (document.querySelector('dialog[open]')) return
    event.preventDefault()
    choose('')
  })
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            aria-label="Add files"
            title="Add files"
            // In the order of the keyboard the messages are before the field.
            className="order-first -mx-1 grid size-11 shrink-0 place-items-center rounded-full text-muted hover:text-ink [&>span]:hover:bg-hover"
          >
            <span className="grid size-9 place-items-center rounded-full border border-line transition-colors pointer-coarse:size-11">
              <Plus className="size-5" aria-hidden="true" />
            </span>
          </button>
        }
      >
        <MenuItem icon={<Image />} onSelect={() => choose('image/*,video/*')}>
          Photo or video
        </MenuItem>
        {hasTouch() && (
          <MenuItem icon={<Camera />} onSelect={() => choose('image/*', 'environment')}>
            Camera
          </MenuItem>
        )}
        <MenuItem icon={<FileText />} onSelect={() => choose('')}>
          File
        </MenuItem>
        {onRecord && (
          <MenuItem icon={<Mic />} onSelect={onRecord}>
            Voice note
          </MenuItem>
        )}
      </Menu>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-hidden="true"
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          onAdd([...(currentTarget.files ?? [])])
          // The same file can be chosen again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}

function open({ current }: RefObject<HTMLInputElement | null>, accept: string, capture = ''): void {
  if (!current) return
  current.accept = accept
  if (capture) current.setAttribute('capture', capture)
  else current.removeAttribute('capture')
  current.click()
}
