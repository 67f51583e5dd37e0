// These functions say whether the load of a noisy wallet was a load: each endpoint returned something, and each list was filled.
// An endpoint that refuses it stands here with the reason, so a new endpoint does not pass by refusing or by an empty list.

import type { contract } from '@parley/sdk/contract/index.ts'

type Name = keyof typeof contract

const full = 'the wallet has as many as it may'
const notOffered = 'the service has no settings for it'
const notUploaded = 'the example is no file of the wallet'

const refuses: { readonly [Each in Name]?: string } = {
  addModerator: full,
  createApiKey: full,
  createDraft: full,
  createIncomingHook: full,
  createWebhook: full,
  restrictMember: full,
  getPushKey: notOffered,
  putPushSubscription: notOffered,
  testPush: notOffered,
  getTelegramLink: notOffered,
  createTelegramLink: notOffered,
  deleteTelegramLink: notOffered,
  resolveName: notOffered,
  claimChat: 'a community has an owner',
  claimImported: 'the example is no code',
  releaseImported: 'nobody was imported',
  announcePost: 'the posts are older than a day',
  setPublicReading: 'a rule closes the chat to some wallets',
  createHandover: 'the token is not of a browser that stays signed in',
  confirmHandover: 'no other browser waits',
  openHandover: 'it is for pages of the client',
  takeHandover: 'it is for pages of the client',
  editMessage: 'the posts are older than a day',
  deleteFile: notUploaded,
  getFile: notUploaded,
  getFileState: notUploaded,
  putFilePart: notUploaded,
  pinMessage: full,
  markDirectMessage: 'the example is no message of the wallet',
  handOverChat: 'the peer is no moderator',
  postByHook: 'the secret of a hook is not stored',
  publishKey: 'the key that it replaces is another one',
  renewSession: 'it is for pages of the client',
  signIn: 'there is no signature',
  verifyKey: notOffered,
  verifyEmail: 'no mail was sent',
  eraseAccount: 'the wallet has signed out everywhere',
}

const isEmpty: { readonly [Each in Name]?: string } = {
  getApiKey: 'the call has a token of a person',
  listBots: 'the example is no bot',
  listImportedClaims: 'nobody was imported',
  listOwnImported: 'nobody was imported',
  getConversation: 'the wallet has decided nothing about the peer',
  getName: 'the example has no name',
  getGuestKey: 'the wallet has stored none yet',
  checkOwnership: 'there is no chain',
  listChainNames: 'there is no chain',
  getNft: 'there is no chain',
  getNftOwner: 'there is no chain',
  getNftPicture: 'there is no chain',
  listSanctions: 'nobody has decided anything about the wallet',
  getSettings: 'the wallet has none',
}

interface Got {
  /** The number of responses by status; 0 when the response had not ended. */
  answers: Record<number, number>
  /** The bytes of the largest response that was a success. */
  largest: number
}

/** Limits refuse calls beside those that are in progress until the end. */
const endedOf = ({ answers }: Got) =>
  Object.keys(answers).filter((status) => !(answers[0] ? ['0', '429', '503'] : ['429']).includes(status))
const isSuccess = (status: string) => Number(status) < 300

export const hasEnded = (got: Got): boolean => endedOf(got).length > 0

/** Returns true when an endpoint has refused what it should not, and has done nothing of it. */
export function isRefused(name: Name, got: Got): boolean {
  return hasEnded(got) && !refuses[name] && !endedOf(got).some(isSuccess)
}

/** Returns what is wrong with the load that an endpoint made, or undefined. */
export function findNoLoad(name: Name, method: string, got: Got): string | undefined {
  if (isRefused(name, got)) return `it was refused: ${JSON.stringify(got.answers)}`
  const ended = endedOf(got)
  if (!ended.some(isSuccess)) return undefined
  if (refuses[name]) return `it is not refused, but testing/cases/noisy-answers.ts says so`
  const wasEmpty = method === 'GET' && !got.answers[0] && got.largest === '[]'.length
  return wasEmpty && !isEmpty[name] ? 'it returned nothing: fill testing/cases/heavy-wallet.ts' : undefined
}
