-- Makes a cluster of a Parley database on the coordinator of Citus. The database has all tables already, its workers are
-- registered (citus_add_node), and no service runs on it. Run it once, after ids.sql in the same transaction: it fails and
-- changes nothing when the tables are distributed already.
--
--   psql -1 -v ON_ERROR_STOP=1 -f server/cluster/ids.sql -f server/cluster/distribute.sql "$DATABASE_URL"

-- One connection to each node, one shard after the other: otherwise no function could follow in this transaction.
set local citus.multi_shard_modify_mode to 'sequential';

-- By bucket. All tables have the same shards, so what has one bucket lies on one node. 16 shards are enough for 16 workers;
-- each more makes reads of all shards dearer.
select create_distributed_table('buckets', 'bucket', colocate_with => 'none', shard_count => 16);
select create_distributed_table(name, 'bucket', colocate_with => 'buckets')
from unnest(array['idempotency_keys', 'events', 'conversations', 'direct_messages', 'communities', 'group_chats',
  'group_messages', 'group_visits', 'withheld_posts', 'chat_roles', 'chat_restrictions', 'chat_rules', 'chat_log', 'comment_threads', 'comments',
  'held_messages']) name;

-- By the bucket of the wallet, in the same shards.
select create_distributed_table(name, 'wbucket', colocate_with => 'buckets')
from unnest(array['bookmarks', 'names', 'images', 'keys', 'sessions', 'settings', 'wallet_usage', 'wallets_seen',
  'chain_facts', 'contacts', 'first_contacts']) name;

-- A copy on each node: read by every list of every bucket, and written seldom, because a write goes to all nodes.
select create_reference_table('profiles');

-- On the coordinator: small, or used by one statement of a request at most. They are announced to the cluster when a
-- function writes them together with distributed tables, because then both are committed or none (two-phase commit).
select citus_add_local_table_to_metadata(name) from unnest(array['name_skeletons', 'community_skeletons']) name;
-- The others are plain tables of the coordinator: those of 0007_service.sql, log_readers, events_forgotten, and the jobs.

-- Called on the nodes, by the statements that are passed on to them.
select create_distributed_function('next_id_v1(integer, bigint)');
select create_distributed_function('preview_v1(text, integer)');

-- Settings of the service's connections do not reach the connections between nodes, but those of its role do. Without it a
-- statement would wait for a lock on a node until its own time is over.
do $$ begin
  execute format('alter role %I in database %I set lock_timeout to ''2s''', current_user, current_database());
end $$;
