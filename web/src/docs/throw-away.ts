import { signInWith } from '@parley/sdk'
import { Address } from '@parley/sdk/contract/fields.ts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** This is the part of Swagger UI that is used here. */
export interface SwaggerUi {
  preauthorizeApiKey: (scheme: string, token: string) => void
  specActions: { updateSpec: (text: string) => void }
  specSelectors: { specStr: () => string }
}

/** It is the wallet of the examples, and the wallet of the new key after sign-in. */
let [example] = (Address as { examples?: string[] }).examples!

/**
 * Signs in with a new key, which is lost when the page closes, fills "Authorize", and puts the wallet into the
 * examples, so that they are allowed. Returns its address.
 */
export async function signInAnew(ui: SwaggerUi): Promise<string> {
  const account = privateKeyToAccount(generatePrivateKey())
  const { token } = await signInWith(
    { baseUrl: '' },
    { address: account.address, signMessage: (message) => account.signMessage({ message }) },
  )
  const address = account.address.toLowerCase()
  ui.specActions.updateSpec(ui.specSelectors.specStr().replaceAll(example!, address))
  ui.preauthorizeApiKey('bearer', token)
  example = address
  return address
}
