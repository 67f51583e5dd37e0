-- The chain of the contract that the chat of an NFT is about: one address may be another contract on another chain. It is set
-- once, when the first holder is let in or the chat is claimed, and never changes (server/src/messages/home-chains.ts). Null in
-- a community, and until then.
alter table group_chats add column home_chain bigint;
