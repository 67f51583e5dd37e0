// A scope as it is written in an API key.

import { narrowScopes, type Scope, scopes } from '@parley/sdk/contract/scopes.ts'
import { canonicalAddress, isAddress } from './formats.ts'

interface ParsedScope {
  scope: Scope
  /** The only wallet or chat that it is for. */
  only: string | undefined
}

/** Undefined when it is none. */
export function parseScope(text: string): ParsedScope | undefined {
  if (Object.hasOwn(scopes, text)) return { scope: text as Scope, only: undefined }
  for (const [scope, { before, after }] of Object.entries(narrowScopes)) {
    if (!text.startsWith(before) || !text.endsWith(after)) continue
    const only = text.slice(before.length, text.length - after.length)
    if (text.length > before.length + after.length && isAddress(only)) return { scope: scope as Scope, only }
  }
  return undefined
}

/** The one way in which a scope is stored; addresses as `canonicalAddress` has them. */
export function canonicalScope(text: string): string {
  const { scope, only } = parseScope(text)!
  if (only === undefined) return scope
  const { before, after } = narrowScopes[scope]!
  return before + canonicalAddress(only) + after
}
