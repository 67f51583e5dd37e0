// People whose words were imported from elsewhere, and who have no wallet here: their addresses are such as discord:1234. Nobody signs
// in as one of them, and nobody writes to one. The client uses this file too, so it imports nothing.

/** These are the systems from which histories come, by the beginning of such an address. */
export const importedSystems = {
  discord: 'Discord',
  telegram: 'Telegram',
  slack: 'Slack',
  mattermost: 'Mattermost',
  rocketchat: 'Rocket.Chat',
} as const

const form = /^([a-z]{1,16}):/

/** Returns the system that a person was imported from; undefined for a wallet. */
export function importedFrom(address: string): string | undefined {
  const [, system = ''] = form.exec(address) ?? []
  return Object.hasOwn(importedSystems, system)
    ? importedSystems[system as keyof typeof importedSystems]
    : undefined
}
