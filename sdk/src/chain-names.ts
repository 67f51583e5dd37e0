// These are the names that people know chains by.

const names: Record<string, string> = {
  1: 'Ethereum',
  10: 'Optimism',
  56: 'BNB Chain',
  100: 'Gnosis',
  137: 'Polygon',
  324: 'ZKsync Era',
  8453: 'Base',
  42161: 'Arbitrum One',
  43114: 'Avalanche',
  59144: 'Linea',
  534352: 'Scroll',
}

export const chainName = (id: string | number): string => names[id] ?? `Chain ${id}`
