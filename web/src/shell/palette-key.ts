import { useEffect, useState } from 'react'

/** Whether the palette is open. Ctrl+K, on a Mac ⌘K, opens and closes it. */
export function usePalette(): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      if (event.altKey || event.shiftKey) return
      event.preventDefault()
      // Not over another dialog.
      setOpen((is) => !is && document.querySelector('dialog[open]') === null)
    }
    addEventListener('keydown', toggle)
    return () => removeEventListener('keydown', toggle)
  }, [])
  return [open, setOpen]
}
