// This file parses a scope as an API key or a token contains it.

import { narrowScopes, type Scope, scopes, valuesOf } from '@parley/sdk/contract/scopes.ts'
import { canonicalAddress, isAddress } from './formats.ts'

interface ParsedScope {
  scope: Scope
  /** The scope is valid for this wallet, this chat, or the token of this contract alone. */
  only: readonly string[] | undefined
}

export function parseScope(text: string): ParsedScope | undefined {
  if (Object.hasOwn(scopes, text) && !narrowScopes[text as Scope]?.alone)
    return { scope: text as Scope, only: undefined }
  for (const scope of Object.keys(narrowScopes) as Scope[]) {
    const only = valuesOf(scope, text)
    if (only) return only.slice(0, 1).every(isAddress) ? { scope, only } : undefined
  }
  return undefined
}

/** Returns the one form in which a scope is stored; addresses are in the form of `canonicalAddress`. */
export function canonicalScope(text: string): string {
  const { scope, only } = parseScope(text)!
  const values = [...(only ?? [])].map(canonicalAddress)
  return only === undefined ? scope : narrowScopes[scope]!.form.replace(/<\w+>/g, () => values.shift()!)
}
