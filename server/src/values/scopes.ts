// This file parses a scope as an API key contains it.

import { narrowScopes, type Scope, scopes } from '@parley/sdk/contract/scopes.ts'
import { canonicalAddress, isAddress } from './formats.ts'

interface ParsedScope {
  scope: Scope
  /** The scope is valid for this wallet or chat only. */
  only: string | undefined
}

export function parseScope(text: string): ParsedScope | undefined {
  if (Object.hasOwn(scopes, text)) return { scope: text as Scope, only: undefined }
  for (const [scope, { before, after }] of Object.entries(narrowScopes)) {
    if (!text.startsWith(before) || !text.endsWith(after)) continue
    const only = text.slice(before.length, text.length - after.length)
    if (text.length > before.length + after.length && isAddress(only)) return { scope: scope as Scope, only }
  }
  return undefined
}

/** Returns the one form in which a scope is stored; addresses are in the form of `canonicalAddress`. */
export function canonicalScope(text: string): string {
  const { scope, only } = parseScope(text)!
  if (only === undefined) return scope
  const { before, after } = narrowScopes[scope]!
  return before + canonicalAddress(only) + after
}
