// Where the focus goes when somebody has signed in, or has chosen another wallet: what had it is gone.

import { useEffect } from 'react'
import { onAccountChange } from '../service/session.ts'

let hasArrived = false
onAccountChange((address) => (hasArrived = address !== null))

/**
 * Gives the focus to an element of the page that is shown first, unless the page has given it to
 * its field for messages.
 */
export function useFocusOnArrival(id: string): void {
  useEffect(() => {
    if (!hasArrived) return
    hasArrived = false
    if (document.activeElement === document.body) document.getElementById(id)?.focus()
  }, [id])
}
