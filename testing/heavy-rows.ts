// Heavy rows are made of this SQL.

/** JSON doubles the quotes. */
export const quotes = (bytes: number) => `repeat('"', ${bytes})`

/** SQL for the address of the wallet with the number `n`, none of which signs in. */
export const other = (n = 'n') => `'0x' || lpad(to_hex(${n}), 40, '0')`

/** A step writes: a statement with its values. */
export type Step = [sql: string, values: unknown[]]
