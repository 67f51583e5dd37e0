-- The API key that made a draft, which may list and discard no other one. Null where the wallet made it, and in drafts that
-- were made before this column.
alter table drafts add column api_key text collate "C";
