import { endpoints } from './endpoint.ts'
import { Zip } from './fields.ts'

export const account = endpoints({
  exportAccount: {
    method: 'GET',
    path: '/v1/export/{address}',
    summary: "Everything the service holds about the caller's wallet, as a ZIP",
    // Spec gap: what belongs to a wallet, and in what form.
    description: `JSON lines in the models of this interface, one file per kind: direct messages sent and received, group messages posted, comments, bookmarks, visits, name, settings (without codes) and created communities; and the pictures as files. \`account.json\` says whose it is and when it was made.

The file is made while it is sent, not at one instant: what changes meanwhile may or may not be in it. An answer that breaks off is an incomplete ZIP.`,
    access: 'wallet',
    whenBanned: true,
    self: 'address',
    response: Zip,
    produces: 'application/zip',
    limit: 'account',
  },
  eraseAccount: {
    method: 'DELETE',
    path: '/v1/account/{address}',
    summary: "Erase the caller's wallet from the service",
    // Spec gap: what erasing leaves behind. What others received stays theirs, under the bare
    // address.
    description: `Settings with the mail address, name, picture, bookmarks, visits, comments, notes to itself and pending mails are deleted. The wallet's side of its conversations is empty afterwards, also when it signs in again. What others have stays theirs, under the bare address: direct messages in their side of a conversation (until they are erased too), and messages posted in group chats. Communities that the wallet created remain, without a creator.

Its tokens are no longer valid. Erasing again does no harm; after a failure it continues. Earlier backups are not changed. Messages under a legal hold are stored apart until it ends, and only the administrator of the service can read them.`,
    access: 'wallet',
    whenBanned: true,
    self: 'address',
    limit: 'account',
    changes: 0,
  },
})
