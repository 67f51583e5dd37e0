/** How a message that was held is sent: in the clear, or encrypted with the key that is known. */
export type SendAs = 'clear' | 'known'

/**
 * What happens to a message: it goes out in the clear or encrypted, or it is held until its writer
 * has chosen. checking: that is not known yet, and what is entered waits for it.
 */
export type ComposerChannel = 'clear' | 'sealed' | 'held' | 'checking'
