type Input = Parameters<typeof fetch>[0]

/**
 * Returns where a request goes: that for the bytes of a file to the host that the operator has set for files, all others to the
 * service itself.
 */
export async function addressOf(
  input: Input,
  method: string | undefined,
  mediaUrl: () => Promise<string | undefined>,
): Promise<Input> {
  const isFile =
    typeof input === 'string' && (method ?? 'GET') === 'GET' && /^\/v1\/files\/[\w-]+$/.test(input)
  // The service itself has all files too, where nobody can say what is set.
  return isFile ? `${(await mediaUrl().catch(() => undefined)) ?? ''}${input}` : input
}
