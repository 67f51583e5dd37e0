import { isFormatted } from '../messages/format.ts'
import { keepLetters, useLetters } from '../state/keys.ts'
import { control, paletteKeys } from '../state/palette.ts'
import { Modal } from '../ui/Modal.tsx'
import { SwitchField } from '../ui/SwitchField.tsx'

const formatting: [key: string, does: string] = [
  `${control} B I E`,
  'On selected text in the field: bold, emphasis, code',
]

const shortcuts: [key: string, does: string][] = [
  [paletteKeys, 'Jump to a conversation, a community or a page'],
  [`${control} F`, 'Search the open conversation'],
  [`${control} Shift F`, 'Search everything'],
  [`${control} G`, 'Go to a date in the conversation'],
  ['Alt ↑', 'The conversation above'],
  ['Alt ↓', 'The conversation below'],
  ['Enter', 'Send, or open the options of a message'],
  ['Shift Enter', 'A new line'],
  [`${control} Shift U`, 'Add files'],
  ...(isFormatted ? [formatting] : []),
  ['↑', 'In the empty field: edit your last message'],
  ['Ctrl ↑', 'In the empty field: reply to the newest message, again for the one before'],
  ['R E + P', 'On a message: reply, edit, react, pin'],
  ['← →', 'On a message: its buttons'],
  ['↑ ↓', 'From message to message'],
  ['Home End', 'The first and the last message'],
  ['Esc', 'From a message to the field, from the empty field to your chats'],
  ['?', 'This list'],
]

export function Shortcuts({ onClose }: { onClose: () => void }) {
  const on = useLetters()
  return (
    <Modal title="Keyboard shortcuts" onClose={onClose}>
      <KeyList keys={shortcuts} />
      <SwitchField
        label="Single keys"
        hint="Off: letters and ? do nothing by themselves."
        checked={on}
        onChange={keepLetters}
      />
    </Modal>
  )
}

const KeyList = ({ keys }: { keys: [key: string, does: string][] }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2.5 text-sm">
    {keys.map(([key, does]) => (
      <div key={key} className="contents">
        <dt className="flex gap-1">
          {key.split(' ').map((one) => (
            <kbd
              key={one}
              className="rounded-md border border-line bg-sunken px-1.5 py-0.5 font-mono text-xs text-ink"
            >
              {one}
            </kbd>
          ))}
        </dt>
        <dd className="text-muted">{does}</dd>
      </div>
    ))}
  </dl>
)
