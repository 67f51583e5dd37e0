// These characters look like the sign that clients show beside a wallet of the team, or like those of other services: check marks,
// shields, medals and seals. No name has them, with a selector or without.

const checkMarks = '✓✔✅☑🗸🗹🮱⍻√'
const shields = '🛡🔰⛨⛊⛉'
const medals = '🏅🎖🏵🥇🥈🥉💮✪✯❂❃❋⚝'
const seals = '㊣🈴㊙㊝㋡🉐🆗🆚🔏🔐'
const badges = new Set(checkMarks + shields + medals + seals)

/** Returns the first character of a name that looks like a badge. */
export const badgeIn = (name: string): string | undefined =>
  Array.from(name).find((character) => badges.has(character))
