import { beginning, spelt } from '@parley/sdk/sign-in-text.ts'
import { partsOf } from '../scopes.ts'

/**
 * Returns what a wallet shows of the scopes of a frame. `scopeStatement` of the SDK says the same of any scopes, and would be a
 * fifth of the script; a test compares the two (web/test/embed-loader.test.ts).
 */
export function statementOf(path: string, domain: string): string {
  const [kind, ...values] = partsOf(path)
  const [one, two] = values.map(spelt)
  const allowed =
    kind === 'chat'
      ? `read the chat ${one}, join it and post in it as you`
      : kind === 'comments'
        ? `read the comments on token ${two} of ${one} and comment there as you`
        : `read your messages with ${one} and write to them as you; read what every wallet may read`
  return `${beginning(domain)}${allowed}.`
}
