import { fullStatement } from '@parley/sdk/sign-in-text.ts'
import { isPhone } from './wallet-apps.ts'

/**
 * Shows what the wallet is going to show, so that nobody is frightened by it, and users notice another text in its
 * place. On a phone it is open: there the wallet covers this page.
 */
export const WalletPreview = () => (
  <details className="text-sm text-muted" open={isPhone()}>
    <summary className="min-h-6 w-fit cursor-pointer">
      What you sign for <strong className="text-ink wrap-anywhere">{location.host}</strong>
    </summary>
    <figure className="mt-2 grid gap-2 rounded-2xl border border-line bg-surface p-3">
      <figcaption className="text-pretty">
        Your wallet shows a text like this, and asks you to sign it:
      </figcaption>
      <p className="rounded-xl bg-sunken px-4 py-3 font-mono text-xs wrap-anywhere whitespace-pre-line">
        {`${location.host} wants you to sign in with your Ethereum account:
0x… (your address)

${fullStatement}

URI, chain, a code that is used once, and two times follow.`}
      </p>
      <p aria-hidden="true" className="grid grid-cols-2 gap-2 text-center text-xs">
        <span className="rounded-lg border border-line py-1.5">Reject</span>
        <span className="rounded-lg bg-selected py-1.5 text-accent-strong">Sign</span>
      </p>
    </figure>
    <p className="mt-2 text-pretty">
      A wallet of Solana shows “Solana account”. If your wallet shows another site, decline.{' '}
      <a className="text-accent underline" href="/docs/security">
        How signing in is safe
      </a>
    </p>
  </details>
)
