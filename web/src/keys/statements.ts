// The texts that a wallet signs for encryption. Both name the host of the service and the wallet, so
// that the page of another service cannot ask for the same signature without naming a service that
// is not its own.

/**
 * The text whose signature opens the backup and proves keys. It must never change: backups depend on
 * it.
 */
export const unlockText = (host: string, address: string): string =>
  `Open my encrypted messages on ${host}.\n\nService: ${host}\nWallet: ${address}\n\nSign this only when you use Parley at ${host}: whoever has this signature can read the encrypted messages of this wallet there. It costs nothing and sends no transaction.`

/** The text with which a wallet proved a key before key-proof.ts. Such proofs are still accepted. */
export const keyStatement = (host: string, address: string, key: string): string =>
  `This is my encryption key on ${host}.\n\nService: ${host}\nWallet: ${address}\nKey: ${key}\n\nSign this only when you use Parley at ${host}: it shows the people I write with there that the key is mine. It costs nothing and sends no transaction.`
