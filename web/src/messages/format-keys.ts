import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { isMac } from '../state/palette.ts'
import { isFormatted } from './format.ts'

const markers: Record<string, string> = { b: '**', i: '_', e: '`' }

/** Puts the markers of a key around what is selected, or takes them away. Returns true when the key does that. */
export function onFormat(event: KeyboardEvent<HTMLTextAreaElement>, write: (text: string) => void): boolean {
  const { key, altKey, shiftKey, ctrlKey, metaKey, currentTarget: field } = event
  const marker = markers[key.toLowerCase()]
  // On a Mac, Control moves the caret.
  if (!isFormatted || !marker || altKey || shiftKey || !(isMac ? metaKey : ctrlKey)) return false
  event.preventDefault()
  if (field.readOnly) return true
  const { value, selectionStart, selectionEnd } = field
  // Markers stand beside a word, and a selection often ends with the space behind one.
  const [, space, inner] = /^(\s*)([^]*?)\s*$/.exec(value.slice(selectionStart, selectionEnd))!
  const from = selectionStart + space!.length
  const [before, after] = [value.slice(0, from), value.slice(from + inner!.length)]
  const [begin, end] = marker === '`' && inner!.includes('\n') ? ['```\n', '\n```'] : [marker, marker]
  const isOn = before.endsWith(begin) && after.startsWith(end)
  const start = isOn ? before.slice(0, -begin.length) : before + begin
  flushSync(() => write(start + inner + (isOn ? after.slice(end.length) : end + after)))
  field.setSelectionRange(start.length, start.length + inner!.length)
  return true
}
