// The one text that a wallet signs for its keys, and what its proofs are about.

/** The wallet at this address, at the service of this host. */
export interface Place {
  host: string
  address: string
}

/** A claim says that the wallet has this key there. */
export interface Claim extends Place {
  key: string
}

/**
 * Returns the text whose signature opens the backup and proves keys. It must never change: backups depend on it. It
 * names the host of the service and the wallet, so that the page of another service cannot request the same signature
 * without naming a service that is not its own.
 */
export const unlockText = (host: string, address: string): string =>
  `Open my encrypted messages on ${host}.\n\nService: ${host}\nWallet: ${address}\n\nSign this only when you use Parley at ${host}: whoever has this signature can read the encrypted messages of this wallet there. It costs nothing and sends no transaction.`
