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
  exportChat: 'a wallet is no owner',
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

/** Returns what is wrong with the load that an endpoint made, or undefined. */
export function findNoLoad(name: Name, method: string, { answers, largest }: Got): string | undefined {
  // Limits refuse others beside those that are in progress until the end.
  const byLimits = answers[0] ? ['0', '429', '503'] : ['429']
  const ended = Object.keys(answers).filter((status) => !byLimits.includes(status))
  if (ended.length === 0) return undefined
  const isSuccess = ended.some((status) => Number(status) < 300)
  if (!isSuccess) return refuses[name] ? undefined : `it was refused: ${JSON.stringify(answers)}`
  if (refuses[name]) return `it is not refused, but testing/cases/noisy-answers.ts says so`
  const wasEmpty = method === 'GET' && !answers[0] && largest === '[]'.length
  return wasEmpty && !isEmpty[name] ? 'it returned nothing: fill testing/cases/heavy-wallet.ts' : undefined
}
