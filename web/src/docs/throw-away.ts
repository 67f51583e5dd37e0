import { signInWith } from '@parley/sdk'
import { Address } from '@parley/sdk/contract/fields.ts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** What is used here of Swagger UI. */
export interface SwaggerUi {
  preauthorizeApiKey: (scheme: string, token: string) => void
  specActions: { updateSpec: (text: string) => void }
  specSelectors: { specStr: () => string }
}

/** The wallet of the examples before a key was made, and from then on. */
let [example] = (Address as { examples?: string[] }).examples!

/**
 * Signs in with a new key, which is forgotten with the page, fills "Authorize", and puts the wallet
 * into the examples, so that they are what it may do. Answers its address.
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
