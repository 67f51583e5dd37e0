import type { directMessages } from '@parley/sdk/contract/direct-messages.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Wallet } from '../../auth/tokens.ts'
import { type Handlers, storingKey } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { sendMessage } from '../../messages/send-direct-message.ts'
import { parseTime } from '../../values/formats.ts'
import * as lists from './lists.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof directMessages> = {
  sendDirectMessage: storingKey(sendMessage),

  async markDirectMessage({ db }, { caller, body }) {
    const { id, fromaddr, toaddr, timestamp, read = false } = body
    if (id === undefined && timestamp === undefined)
      throw badRequest([
        {
          pointer: '/body/id',
          detail: 'is required, or else timestamp: one of them says which message is meant',
        },
      ])
    const found =
      id === undefined
        ? await store.findMessageByTime(db, caller.address, fromaddr, toaddr, parseTime(timestamp!)!)
        : await store.findMessageById(db, caller.address, id)
    const message = requireParty(caller, found)
    if (message.toaddr !== caller.address)
      throw new ApiError('forbidden', 'Only the recipient of a message may mark it as read or unread.')
    await store.updateRead(db, message, read)
    const marked = await store.findMessage(db, caller.address, message.id)
    // Its sender may have deleted it at the same moment.
    if (!marked) throw noSuchMessage()
    return [marked]
  },

  async deleteDirectMessage({ db, standing }, { caller, params }) {
    const message = requireParty(caller, await store.findMessageById(db, caller.address, Number(params.id)))
    if (message.fromaddr !== caller.address)
      throw new ApiError('forbidden', 'Only the sender of a message may delete it.')
    await store.deleteMessage(db, standing.subjectsOf('hold'), message)
  },

  async deleteConversation({ db, standing }, { caller, params: { fromaddr, toaddr } }) {
    const peer = peerOf(caller, fromaddr, toaddr)
    await store.deleteConversation(db, standing.subjectsOf('hold'), caller.address, peer)
  },

  async listDirectMessages({ db }, { params: { address }, query }) {
    return lists.findMessagesOf(db, address, query)
  },

  async listConversation({ db }, { caller, params: { fromaddr, toaddr }, query }) {
    return lists.findConversation(db, caller.address, peerOf(caller, fromaddr, toaddr), query)
  },

  async listConversationSince({ db }, { caller, params: { fromaddr, toaddr, time }, query }) {
    const peer = peerOf(caller, fromaddr, toaddr)
    return lists.findConversationSince(db, caller.address, peer, parseTime(time)!, query)
  },

  async listReadMessages({ db }, { caller, params: { fromaddr, toaddr }, query }) {
    return lists.findReadMessages(db, caller.address, peerOf(caller, fromaddr, toaddr), query)
  },

  async listNftMessages({ db }, { params: { address }, query }) {
    return lists.findNftMessagesOf(db, address, query)
  },

  async listNftMessagesOfWallet({ db }, { params: { address, nftaddr, nftid }, query }) {
    return lists.findNftMessagesOfToken(db, address, { nftaddr, nftid }, query)
  },

  async listNftConversation({ db }, { caller, params: { fromaddr, toaddr, nftaddr, nftid }, query }) {
    const peer = peerOf(caller, fromaddr, toaddr)
    return lists.findNftConversation(db, caller.address, peer, { nftaddr, nftid }, query)
  },

  async listNftMessagesOfToken({ db }, { caller, params: { nftaddr, nftid }, query }) {
    return lists.findNftMessagesOfToken(db, caller.address, { nftaddr, nftid }, query)
  },
}

/** Returns the other one of a pair that the caller is part of. */
const peerOf = ({ address }: Wallet, one: string, other: string) => (address === one ? other : one)

/** Other wallets get the same answer as for a message that does not exist. */
function requireParty(caller: Wallet, message: store.MessageRow | undefined): store.MessageRow {
  if (message && [message.fromaddr, message.toaddr].includes(caller.address)) return message
  throw noSuchMessage()
}

const noSuchMessage = () => new ApiError('not_found', 'You have sent or received no such message.')
