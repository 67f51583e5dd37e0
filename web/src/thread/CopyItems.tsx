import { Copy, TextSelect } from 'lucide-react'
import { MenuItem } from '../ui/Menu.tsx'
import { copy } from '../state/notice.ts'
import { createStore, useStore } from '../state/store.ts'
import { Modal } from '../ui/Modal.tsx'

/** Copies the text of a message, or shows it to select a part on touch screens, where a touch selects none. */
export const CopyItems = ({ text }: { text: string }) =>
  text !== '' && (
    <>
      <MenuItem icon={<Copy />} onSelect={() => void copy(text, 'Message copied')}>
        Copy text
      </MenuItem>
      {matchMedia('(pointer: coarse)').matches && (
        <MenuItem icon={<TextSelect />} onSelect={() => selectText(text)}>
          Select text
        </MenuItem>
      )}
    </>
  )

const selecting = createStore<string | undefined>(undefined)

/** Returns the text of a message from which a part is to be selected. */
const useSelecting = (): string | undefined => useStore(selecting)

const selectText = (text: string | undefined): void => selecting.set(text)

/** Shows the text of a message to select a part of it: in the list a long press opens the options. */
export function SelectedText() {
  const text = useSelecting()
  if (text === undefined) return null
  return (
    <Modal title="Select text" onClose={() => selectText(undefined)}>
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap select-text">
        {text}
      </p>
    </Modal>
  )
}
