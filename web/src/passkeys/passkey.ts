// A passkey gives this page 32 secret bytes (the PRF extension of WebAuthn), the same on each device that has it. The
// page derives keys from them, and the service sees neither. Whether a passkey does that depends on the browser and on
// what stores it, so only its answer counts. docs/encryption.md has the bytes.

import { type Bytes, fromBase64, randomBytes, toBase64, toBytes } from '@parley/sdk/bytes.ts'
import { passkeyHost } from './offered.ts'

const salt = toBytes('parley-passkey-1')
const extensions = { prf: { eval: { first: salt } } }

/** A longer name of a passkey would not fit into the backup of keys. */
const longestCredential = 128

/** The secret of a passkey that was just used. */
export interface UsedPasskey {
  /** The name of the passkey, as base64url. */
  credential: string
  /** What was stored in the passkey when it was made. */
  handle: Bytes
  secret: Bytes
}

interface NewPasskey {
  handle: Bytes
  /** The browser shows this name where it asks which passkey to use. */
  name: string
  /** A device that has one of these makes no other one. */
  exclude?: readonly string[]
}

const elsewhere = 'Use a wallet or a temporary one instead'

/** Makes a passkey that the device keeps, and asks it for its secret. */
export async function makePasskey({ handle, name, exclude = [] }: NewPasskey): Promise<UsedPasskey> {
  const made = await asked('make', () =>
    navigator.credentials.create({
      publicKey: {
        rp: { id: passkeyHost, name: passkeyHost },
        user: { id: handle, name, displayName: name },
        challenge: randomBytes(32),
        pubKeyCredParams: [-7, -257].map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: exclude.map(describe),
        attestation: 'none',
        extensions,
      },
    }),
  )
  const credential = toBase64(made.rawId)
  const { prf } = made.getClientExtensionResults()
  if ((!prf?.enabled && !prf?.results) || made.rawId.byteLength > longestCredential) {
    forgetPasskey(credential)
    throw new Error(
      `This device’s passkeys can’t keep a secret, so the new one opens nothing. Delete the passkey for ${passkeyHost} in the device’s passwords. ${elsewhere}.`,
    )
  }
  // Many give the secret only when they are used.
  const secret = secretIn(prf) ?? (await usePasskey([credential])).secret
  return { credential, handle, secret }
}

/** Asks for the secret of one of these passkeys; without a list, of one that the person chooses. */
export async function usePasskey(allowed: readonly string[] = []): Promise<UsedPasskey> {
  const used = await asked('use', () =>
    navigator.credentials.get({
      publicKey: {
        rpId: passkeyHost,
        challenge: randomBytes(32),
        userVerification: 'required',
        allowCredentials: allowed.map(describe),
        extensions,
      },
    }),
  )
  const secret = secretIn(used.getClientExtensionResults().prf)
  if (!secret)
    throw new Error(
      'This passkey gives no secret in this browser, so it opens nothing here. Try the browser or the device on which you made it.',
    )
  const { userHandle } = used.response as AuthenticatorAssertionResponse
  return {
    credential: toBase64(used.rawId),
    handle: new Uint8Array(userHandle ?? new ArrayBuffer(0)),
    secret,
  }
}

/** Says to what stores a passkey that it opens nothing here. Few can hear that. */
export function forgetPasskey(credential: string): void {
  const { signalUnknownCredential } = PublicKeyCredential as {
    signalUnknownCredential?: (known: { rpId: string; credentialId: string }) => Promise<void>
  }
  void signalUnknownCredential
    ?.call(PublicKeyCredential, { rpId: passkeyHost, credentialId: credential })
    .catch(() => {})
}

const describe = (credential: string): PublicKeyCredentialDescriptor => ({
  type: 'public-key',
  id: fromBase64(credential),
})

function secretIn(prf: AuthenticationExtensionsPRFOutputs | undefined): Bytes | undefined {
  const first = prf?.results?.first
  if (!first) return undefined
  const secret = ArrayBuffer.isView(first)
    ? new Uint8Array(first.buffer, first.byteOffset, first.byteLength).slice()
    : new Uint8Array(first)
  return secret.length === 32 ? secret : undefined
}

const refusals = {
  make: `No passkey was made: you cancelled, or this device can’t make one. ${elsewhere}, or try again.`,
  use: `No passkey was used: you cancelled, or this device has none for ${passkeyHost}.`,
}
const known: Record<string, string> = {
  InvalidStateError: 'This device already has a passkey for this.',
  NotSupportedError: `This browser can’t make such a passkey. ${elsewhere}.`,
  ConstraintError: `This device can’t make such a passkey: it needs a screen lock or a PIN. ${elsewhere}.`,
  SecurityError: `Passkeys don’t work at this address. ${elsewhere}.`,
}

async function asked(what: keyof typeof refusals, ask: () => Promise<Credential | null>) {
  try {
    const answer = await ask()
    if (answer) return answer as PublicKeyCredential
  } catch (error) {
    throw new Error(known[(error as Error).name] ?? refusals[what], { cause: error })
  }
  throw new Error(refusals[what])
}
