-- The copy of a last message (0013, 0014) gets a version of its shape: a release shows only copies of the shape that it
-- writes itself, so a field may be added to messages although copies without it are stored.
--
-- `copy_time` takes the place of `last_item_time`, which is no longer written. A release that knows no versions, and still
-- serves beside this one, writes `last_item` and moves `last_time` on, but leaves `copy_time`: its copies are stale here, as
-- those of this release are there.
alter table conversations
  -- The time of the message that `last_item` is a copy of.
  add column copy_time timestamptz(3),
  -- Made from the SQL expression that makes the copy.
  add column copy_version integer;
alter table group_chats
  add column copy_time timestamptz(3),
  add column copy_version integer;
