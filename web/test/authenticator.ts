// An authenticator of Chromium, which makes passkeys for a page without asking anybody.

import type { Page } from 'playwright-core'
import { freePort } from '../../testing/service/ports.ts'

/** A site at a name: passkeys belong to names, not to addresses of machines. */
export async function atName() {
  const port = await freePort()
  const host = `localhost:${port}`
  return { port, publicUrl: `http://${host}`, allowedDomains: [host] }
}

interface Options {
  /** Whether its passkeys keep a secret. */
  hasPrf?: boolean
  /** Whether its person agrees. To a page one who breaks off looks the same. */
  agrees?: boolean
}

type Session = Awaited<ReturnType<ReturnType<Page['context']>['newCDPSession']>>

/** Plugs one into a page. It stays there when the page goes elsewhere, and when the browser forgets all else. */
export async function plugIn(page: Page, { hasPrf = true, agrees = true }: Options = {}) {
  const session: Session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf,
      automaticPresenceSimulation: true,
      isUserVerified: agrees,
    },
  })
  const passkeys = async () =>
    (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  type Passkey = Awaited<ReturnType<typeof passkeys>>[number]
  return {
    passkeys,
    /** The person agrees no longer. Chromium then never asks this authenticator again. */
    refuse: () => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
    /** Chromium copies a passkey without its secret, as some password managers do. */
    receive: (credential: Passkey) => session.send('WebAuthn.addCredential', { authenticatorId, credential }),
    unplug: () => session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
    /** Makes this another browser of the person: it has the passkeys, and nothing else. */
    async startAfresh(path: string) {
      const { origin } = new URL(page.url())
      await page.goto('about:blank')
      await page.context().clearCookies()
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
      await page.goto(path)
    },
  }
}
