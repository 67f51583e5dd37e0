import { createContext, createElement, type ReactElement, type ReactNode, useContext } from 'react'
import type { Parley } from './shared.ts'

const Context = createContext<Parley | undefined>(undefined)

export interface ParleyProviderProps {
  /** What `createParley` has made, once for the page. */
  parley: Parley
  children?: ReactNode
}

/** Gives the hooks below it one service and one session. */
export const ParleyProvider = ({ parley, children }: ParleyProviderProps): ReactElement =>
  createElement(Context.Provider, { value: parley }, children)

export function useParley(): Parley {
  const parley = useContext(Context)
  if (!parley) throw new Error('A hook of @parley/react needs a ParleyProvider above it.')
  return parley
}
