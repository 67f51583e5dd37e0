import { canonicalAddress } from './accounts.ts'
import { parseSignInText, type SignInTextOptions } from './sign-in-text.ts'

/**
 * Says why a page must not let its wallet sign a text that it was given: the text is for another site or wallet, or asks for
 * other scopes. Undefined when it may.
 */
export function refusalToSign(
  text: string,
  { domain, address, scopes }: Required<Pick<SignInTextOptions, 'domain' | 'address' | 'scopes'>>,
): string | undefined {
  const found = parseSignInText(text)
  if (!found) return 'This is no text that signs in to Parley.'
  if (found.domain !== domain || hostOf(found.uri) !== domain) return `The text is not for ${domain}.`
  if (canonicalAddress(found.address) !== canonicalAddress(address)) return `The text is not for ${address}.`
  return found.scopes?.join(' ') === scopes.join(' ')
    ? undefined
    : 'The text asks for something else than this page does.'
}

const hostOf = (uri: string) => /^https?:\/\/([^/?#]*)/.exec(uri)?.[1]
