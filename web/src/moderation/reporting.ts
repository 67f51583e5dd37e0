import { createStore, useStore } from '../ui/store.ts'

/** What is to be reported: a wallet, with messages of it that the reader may disclose; or a chat. */
export type Reportable = {
  /** What the reader knows it by. */
  title: string
} & (
  | {
      peer: string
      /** The message from which the question came. */
      id?: number | undefined
      /** Whether that is a post in a chat. */
      isPost?: boolean
      /** Whether blocking is offered as the usual choice. */
      block?: boolean
    }
  | { chat: string }
)

const asked = createStore<Reportable | undefined>(undefined)

/** Asks what is reported to the operators, and why. */
export const askToReport = (what: Reportable): void => asked.set(what)
export const endReporting = (): void => asked.set(undefined)
export const useReporting = (): Reportable | undefined => useStore(asked)
