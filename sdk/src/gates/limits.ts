// These are the limits of a rule of a gate. The client uses this file too, so it imports nothing.

/** A rule has at most this many conditions, in groups at most this many levels deep. `not` is a level too. */
export const mostConditions = 20
export const deepestGroup = 3
