/** The id of a connector to a wallet of Solana begins so, and its name follows. */
export const solanaPrefix = 'solana:'
