/** Makes an error that a retry cannot fix. */
export const finalFailure = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { final: true })

export const isFinal = (error: unknown): boolean => error instanceof Error && 'final' in error
