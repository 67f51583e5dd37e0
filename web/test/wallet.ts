export interface TestWallet {
  address: string
  sign: (message: { raw: `0x${string}` }) => Promise<string>
}

interface Request {
  method: string
  params?: unknown[]
}

/** By which the client finds the wallet again. */
export const testWallet = 'org.example.wallet'

export interface WalletScript {
  address: string
  rdns: string
  /** Announces itself as EIP-6963 says. */
  announced: boolean
  /** The flags of the wallet at window.ethereum; it is not there without. */
  flags?: Record<string, true> | undefined
  /** The chain that it shows, which the test may change. */
  chainId?: number | undefined
  /** It comes to window.ethereum on `wallet-comes`: with the event that says so, or silently. */
  late?: 'event' | 'silent' | undefined
}

/** Gives the page a wallet. It runs in the page; signatures are made by the test, with a real key. */
export function walletScript({ address, rdns, announced, flags, late, chainId = 1 }: WalletScript): void {
  const read = (method: string) => (params: unknown[]) =>
    (
      globalThis as unknown as { readTestChain: (method: string, params: unknown[]) => unknown }
    ).readTestChain(method, params)
  const answers: Record<string, (params: unknown[]) => unknown> = {
    eth_requestAccounts: () => [address],
    eth_accounts: () => [address],
    eth_chainId: () => `0x${chainId.toString(16)}`,
    ...(chainId > 1 && { eth_call: read('eth_call'), eth_getCode: read('eth_getCode') }),
    wallet_requestPermissions: () => [{ parentCapability: 'eth_accounts' }],
    wallet_revokePermissions: () => null,
    personal_sign: ([message]) =>
      (globalThis as unknown as { signWithTestWallet: (raw: unknown) => unknown }).signWithTestWallet(
        message,
      ),
  }
  const provider = {
    ...flags,
    request: async ({ method, params = [] }: Request) => {
      const answer = answers[method]
      if (!answer) throw Object.assign(new Error(`${method} is not supported`), { code: 4200 })
      return answer(params)
    },
    on: () => provider,
    removeListener: () => provider,
  }
  const appear = () => Object.assign(globalThis, { ethereum: provider })
  if (flags && late)
    addEventListener('wallet-comes', () => {
      appear()
      if (late === 'event') dispatchEvent(new Event('ethereum#initialized'))
    })
  else if (flags) appear()
  if (!announced) return
  const info = {
    uuid: '6f1f3c5e-6e0b-4b0e-9a3b-0d6a5f1c2b3d',
    name: 'Test Wallet',
    icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="%23f6851b"/></svg>',
    rdns,
  }
  const announce = () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
}
