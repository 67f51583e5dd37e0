// Reads what a signed text asks for: all that a wallet may do, or a few scopes for the site that it names.

import { readAsked } from '@parley/sdk/sign-in-text.ts'
import { canonicalScope, parseScope } from '../../values/scopes.ts'
import { namesOneSite, type SiweFields, siteOfUri } from './siwe.ts'

export interface Access {
  /** These are in the form of `canonicalScope`; undefined for all. */
  scopes: string[] | undefined
  /** This is the origin of the site. */
  origin: string
}

export function readAccess(message: SiweFields): Access | { problem: string } {
  const { domain, statement, resources, uri } = message
  const asked = readAsked(domain, statement, resources)
  if ('problem' in asked) return asked
  // The sessions list shows the origin, and the wallet the domain: one site is never shown under the name of another.
  if (asked.scopes && !namesOneSite(message))
    return { problem: `The URI of a text with scopes is a page of the site that asks: of ${domain}.` }
  const wrong = asked.scopes?.find((scope) => parseScope(scope) === undefined)
  if (wrong !== undefined) return { problem: `${wrong} is no scope: what it is for is no address or chat.` }
  const scopes = asked.scopes && [...new Set(asked.scopes.map(canonicalScope))]
  return { scopes, origin: siteOfUri(uri).join('://') }
}

/** Returns the problem with a text of another site that asks for all. */
export const problemWithAccess = ({ scopes, origin }: Access, isOwnSite: boolean): string | undefined =>
  scopes || isOwnSite
    ? undefined
    : `${origin} may ask for scopes alone: the text needs resources such as parley:scope:dm:<address>, and a statement that says the same in words. The SDK makes it: signInText({ …, scopes }).`
