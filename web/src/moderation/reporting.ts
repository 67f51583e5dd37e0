import { createStore, useStore } from '../state/store.ts'

/** A wallet with messages that the reader may disclose, or a chat, can be reported. */
export type Reportable = {
  /** The reader knows it by this name. */
  title: string
} & (
  | {
      peer: string
      /** The report started at this message. */
      id?: number | undefined
      /** This is true for a post in a chat. */
      isPost?: boolean
      /**
       * This is true for a request: all of it is disclosed and the wallet is blocked, unless somebody chooses
       * otherwise.
       */
      block?: boolean
    }
  | { chat: string }
)

const subject = createStore<Reportable | undefined>(undefined)

/** Opens the dialog that says what is reported to the operators, and why. */
export const askToReport = (what: Reportable): void => subject.set(what)
export const endReporting = (): void => subject.set(undefined)
export const useReporting = (): Reportable | undefined => useStore(subject)
