// The page of the web client with what the service writes into its meta elements.

import type { Config } from '../config/settings.ts'
import { html } from '../lib/html.ts'

/** Whom a link leads to: what the page shows a visitor who is not signed in. */
export type Invitation =
  | { kind: 'wallet'; address: string; name: string }
  | { kind: 'community'; name: string }

export type PageSettings = Pick<
  Config,
  'encryptionVendor' | 'publicUrl' | 'allowedDomains' | 'walletConnectProjectId'
>

/**
 * Writes what the settings say into the page: the segment in the names of the encryption fields; the
 * host that texts for wallets name, and the others that the page may have.
 */
export const withSettings = (
  page: string,
  { encryptionVendor, publicUrl, allowedDomains }: PageSettings,
): string =>
  withMeta(page, {
    'encryption-vendor': encryptionVendor,
    'service-hosts': [...new Set([new URL(publicUrl).host, ...allowedDomains.map(toLower)])].join(' '),
  })

const toLower = (domain: string) => domain.toLowerCase()

/**
 * Writes an invitation into the page: for the client, and as a preview for programs that show links
 * (Open Graph). Search engines are asked to leave out pages about people.
 */
export function withInvitation(page: string, invitation: Invitation, { publicUrl }: PageSettings): string {
  const title =
    invitation.kind === 'wallet'
      ? `${invitation.name || shortAddress(invitation.address)} invites you to write`
      : `You are invited to the community ${invitation.name}`
  // The heading is what the page shows until the client has loaded.
  const headed = page.replace(/(<h1[^>]*>)[^<]*/, (_found, tag: string) => tag + html`${title}`.markup)
  return withMeta(headed, {
    invitation: JSON.stringify(invitation),
    robots: 'noindex',
    'og:title': title,
    'og:description': `On Parley at ${new URL(publicUrl).host}, where your wallet is your name: sign in with one signature, without a password.`,
  })
}

const shortAddress = (address: string) =>
  address.length > 24 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address

function withMeta(page: string, contents: Record<string, string>): string {
  let written = page
  for (const [name, content] of Object.entries(contents))
    written = written.replace(
      new RegExp(`<meta (name|property)="${name}" content="[^"]*"`),
      (_found, attribute: string) => `<meta ${attribute}="${name}" ${html`content="${content}"`.markup}`,
    )
  return written
}
