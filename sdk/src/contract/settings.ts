import { type Static, type TSchema, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Email, Id, single, Text } from './fields.ts'

const flag = (description: string, example: string) =>
  Type.Enum(['true', 'false'], { description: `${description}: "true" or "false"`, examples: [example] })

// Spec gap: the interface swaps the descriptions of notify24 and notifydm; their names decide.
const fields = {
  domain: Text(255, "the wallet's domain", { invisible: 'allowed', examples: ['alice.eth'] }),
  email: Email,
  notify24: flag('a daily mail with what is unread', 'true'),
  notifydm: flag('a mail for direct messages, from anyone, at most one in five minutes', 'false'),
  signupsite: Text(1024, 'the site where the e-mail address was entered last', {
    invisible: 'allowed',
    examples: ['https://chat.example.org'],
  }),
}

// Spec gap: a text without a value is left out; a flag without a value is "false".
/** The notification settings of a wallet. The flags are the strings `true` and `false`. */
export const Settings = Type.Object(
  {
    id: Id,
    walletaddr: Address,
    domain: Type.Optional(fields.domain),
    email: Type.Optional(fields.email),
    notify24: fields.notify24,
    notifydm: fields.notifydm,
    signupsite: Type.Optional(fields.signupsite),
    verified: flag('whether the e-mail address has been confirmed', 'true'),
  },
  { $id: 'Settings', description: 'The notification settings of a wallet' },
)
export type Settings = Static<typeof Settings>

const clearable = <T extends TSchema>(schema: T) => {
  const { description, examples } = schema as T & { description: string; examples: unknown[] }
  return Type.Optional(
    Type.Union([schema, Type.Null()], { description: `${description}; null clears it`, examples }),
  )
}

// Spec gap: a field that is left out stays as it is, and null clears it. `id` and `verified` are
// ignored.
/** Changes of a wallet's settings: a field that is left out stays as it is, `null` clears it. */
export const SettingsUpdate = Type.Object(
  {
    walletaddr: Address,
    domain: clearable(fields.domain),
    email: clearable(fields.email),
    notify24: clearable(fields.notify24),
    notifydm: clearable(fields.notifydm),
    signupsite: clearable(fields.signupsite),
  },
  { $id: 'SettingsUpdate', description: "Changes of a wallet's settings" },
)
export type SettingsUpdate = Static<typeof SettingsUpdate>

export const settings = endpoints({
  updateSettings: {
    method: 'POST',
    path: '/v1/update_settings',
    summary: 'Change the notification settings of a wallet',
    description:
      'A new e-mail address gets one confirmation mail, and no other mail until it is confirmed. ' +
      'Setting one takes a sign-in from the last hour (403 `old_sign_in`); the wallet gets a notice. ' +
      'A confirmed address that is replaced or removed gets a last mail. ' +
      'With the admin key it counts as confirmed, and no mail is sent. ' +
      'The operator limits confirmation mails: of a wallet and of a network address in an hour, to a mailbox in a day, ' +
      'and of the whole service (LIMIT_MAILS_OF_WALLET, LIMIT_MAILS_OF_NETWORK, LIMIT_MAILS_TO_ADDRESS, ' +
      'LIMIT_CONFIRMATION_MAILS). Beyond that 429 says which limit it is, and nothing is changed.',
    access: 'wallet-or-admin',
    grants: 'mails',
    renews: true,
    quotas: ['bytes'],
    self: 'walletaddr',
    limit: 'account',
    body: SettingsUpdate,
    response: single(Settings),
    idempotent: true,
  },
  getSettings: {
    method: 'GET',
    path: '/v1/get_settings/{address}',
    summary: "The caller's notification settings: one item, or none",
    access: 'wallet',
    self: 'address',
    response: single(Settings),
  },
  deleteSettings: {
    method: 'DELETE',
    path: '/v1/delete_settings/{address}',
    summary: "Delete the caller's notification settings",
    description: 'A confirmed e-mail address gets a last mail.',
    access: 'wallet',
    self: 'address',
    limit: 'account',
  },
  verifyEmail: {
    method: 'GET',
    path: '/v1/verify_email/{email}/{verification_code}',
    summary: 'Confirm an e-mail address with the code that was mailed to it',
    // Spec gap: the link works without a token, by its page, and the Settings body is ignored.
    description:
      'The code is the proof: it works once, within 24 hours. With the token of its wallet it confirms at once. ' +
      'Without one the answer is a page with a button that confirms by POST, whatever the `Accept` header, ' +
      'because mail scanners open links. A code that is wrong, used or expired is 404.',
    access: 'public',
    response: single(Settings),
    htmlPages: [200, 404],
  },
})
