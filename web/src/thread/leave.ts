import { useNavigate } from 'react-router'

/** Returns to the list of conversations: to the row of this one, or when the list is another page, to that. */
export function useLeave(): () => void {
  const navigate = useNavigate()
  return () => {
    const heading = document.getElementById('chats')
    if (heading?.checkVisibility()) {
      const row = document.querySelector<HTMLElement>('#inbox-rows [aria-current=page]')
      return (row ?? heading).focus()
    }
    void navigate('/')
    // It runs once the list is shown.
    setTimeout(() => document.getElementById('chats')?.focus())
  }
}
