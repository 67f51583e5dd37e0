export * from './client.ts'
export { ApiKey, NewApiKey } from './contract/api-keys.ts'
export { Bot } from './contract/bots.ts'
export type { ChainName } from './contract/chain-names.ts'
export { IncomingHook, NewIncomingHook } from './contract/incoming-hooks.ts'
export * from './contract/bookmarks.ts'
export * from './contract/commands.ts'
export * from './contract/comments.ts'
export * from './contract/communities.ts'
export { CommunityAbout, CommunityEntry, longestTag, mostAboutBytes, mostTags } from './contract/directory.ts'
export {
  ChatMute,
  Contact,
  ContactState,
  ContactUpdate,
  DecidedRequests,
  MutedUntil,
} from './contract/consent.ts'
export { DmPolicy, type OwnDmPolicy } from './contract/dm-policy.ts'
export * from './contract/direct-messages.ts'
export { Draft, NewDraft } from './contract/drafts.ts'
export { FileItem, filePartBytes, FileState, mostFiles, type NewFile } from './contract/files.ts'
export * from './contract/group-chats.ts'
export * from './contract/errors.ts'
export { maxMessageBytes } from './contract/fields.ts'
export type { Handover, OpenedHandover } from './contract/handovers.ts'
export * from './contract/health.ts'
export * from './contract/status.ts'
export * from './contract/images.ts'
export { ServiceEvent, TypingNotice } from './contract/events.ts'
export * from './contract/inbox.ts'
export { type Contract, contract } from './contract/index.ts'
export * from './contract/keys.ts'
export type { BlockedFile } from './contract/blocked-files.ts'
export type { LogEntry, Notice, Subject } from './contract/moderation.ts'
export type { Action as ModerationAction } from './contract/moderation-actions.ts'
export type { ImportedClaim } from './contract/moving.ts'
export * from './contract/names.ts'
export { Nft, NftOwner, NftPicture } from './contract/nfts.ts'
export type { ChatTeamMember } from './contract/chat-team.ts'
export type { OfficialWallet } from './contract/official.ts'
export { ownership } from './contract/ownership.ts'
export * from './contract/notification-rules.ts'
export * from './contract/notifications.ts'
export * from './contract/own-side.ts'
export * from './contract/read-state.ts'
export type { QueuedReport, ReportDetail } from './contract/report-queue.ts'
export type { Evidence } from './contract/reports.ts'
export { type Scope } from './contract/scopes.ts'
export * from './contract/service.ts'
export * from './contract/telegram.ts'
export * from './contract/webhooks.ts'
export { WebSession } from './contract/sessions.ts'
export { Settings, SettingsUpdate } from './contract/settings.ts'
export type { ChainFacts, Trust } from './contract/trust.ts'
export * from './sign-in.ts'
export {
  narrowScope,
  parseSignInText,
  scopeStatement,
  scopeWords,
  signInText,
  type SignInTextOptions,
} from './sign-in-text.ts'
export type { Nonce, SignIn } from './contract/sign-in.ts'
export * from './events.ts'
export * from './mentions.ts'
export * from './pages.ts'
export type { RetryOptions } from './retry.ts'
export { type FilePlace, uploadFile, type UploadOptions } from './upload.ts'
export { refusalToSign } from './refusal-to-sign.ts'
