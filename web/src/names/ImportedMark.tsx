import { importedFrom } from '@parley/sdk/imported.ts'

/** Shows beside a name that its person was imported from elsewhere and has no wallet here; nothing for a wallet. */
export function ImportedMark({ address }: { address: string }) {
  const system = importedFrom(address)
  if (!system) return null
  return (
    <span
      title={`Imported from ${system}: this person has no wallet here`}
      className="inline-block shrink-0 rounded-md bg-sunken px-1.5 align-middle text-xs leading-5 font-medium text-muted forced-colors:border"
    >
      Imported
    </span>
  )
}
