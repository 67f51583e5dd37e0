// Writes into the meta elements of the web client's page.

import type { Config } from '../config/settings.ts'
import { html } from '../lib/html.ts'
import { shortAddress } from '../values/short-address.ts'

/** Says where a link leads: the page shows it to a visitor who is not signed in. */
export type Invitation =
  | { kind: 'wallet'; address: string; name: string }
  | { kind: 'community'; name: string }

export type PageSettings = Pick<
  Config,
  | 'encryptionVendor'
  | 'publicUrl'
  | 'mediaUrl'
  | 'allowedDomains'
  | 'embedOrigins'
  | 'walletConnectProjectId'
  | 'messageFormat'
>

/**
 * Writes settings into the page: the segment in the names of the encryption fields; whether messages are formatted; the project
 * of WalletConnect, if any; the host that texts for wallets name, and the others that the page may have.
 */
export const withSettings = (
  page: string,
  { encryptionVendor, messageFormat, publicUrl, allowedDomains, walletConnectProjectId = '' }: PageSettings,
): string =>
  withMeta(page, {
    'encryption-vendor': encryptionVendor,
    'message-format': messageFormat,
    walletconnect: walletConnectProjectId,
    'service-hosts': [...new Set([new URL(publicUrl).host, ...allowedDomains.map(toLower)])].join(' '),
  })

const toLower = (domain: string) => domain.toLowerCase()

/**
 * Writes an invitation into the page: for the client, and as a preview for programs that show links (Open Graph). A meta
 * element makes search engines leave out pages about people.
 */
export function withInvitation(page: string, invitation: Invitation, { publicUrl }: PageSettings): string {
  const title =
    invitation.kind === 'wallet'
      ? `Message ${invitation.name || shortAddress(invitation.address)} on ${new URL(publicUrl).host}`
      : `You’re invited to ${invitation.name}`
  // The page shows the heading until the client has loaded.
  const headed = page.replace(/(<h1[^>]*>)[^<]*/, (_found, tag: string) => tag + html`${title}`.markup)
  return withMeta(headed, {
    invitation: JSON.stringify(invitation),
    robots: 'noindex',
    'og:title': title,
    'og:description': `On Parley at ${new URL(publicUrl).host}, where your wallet is your name: sign in with one signature, without a password.`,
  })
}

function withMeta(page: string, contents: Record<string, string>): string {
  let written = page
  for (const [name, content] of Object.entries(contents))
    written = written.replace(
      new RegExp(`<meta (name|property)="${name}" content="[^"]*"`),
      (_found, attribute: string) => `<meta ${attribute}="${name}" ${html`content="${content}"`.markup}`,
    )
  return written
}
