-- Says where each table of a Parley lies on a cluster of Citus. `npm run parley -- distribute` and the tests run it on the
-- coordinator, after ids.sql and in one transaction, so that all tables are distributed or none. Every table of the migrations
-- has its line here, and every statement is one line.

-- One connection to each node, one shard after the other: otherwise no function could follow in this transaction.
set local citus.multi_shard_modify_mode to 'sequential';

-- These tables are distributed by bucket. All tables have the same shards, so rows of one bucket lie on one node. 16 shards are
-- enough for 16 workers; each further one makes reads of all shards slower.
select create_distributed_table('buckets', 'bucket', colocate_with => 'none', shard_count => 16);
select create_distributed_table('idempotency_keys', 'bucket', colocate_with => 'buckets');
select create_distributed_table('events', 'bucket', colocate_with => 'buckets');
select create_distributed_table('conversations', 'bucket', colocate_with => 'buckets');
select create_distributed_table('direct_messages', 'bucket', colocate_with => 'buckets');
select create_distributed_table('communities', 'bucket', colocate_with => 'buckets');
select create_distributed_table('community_profiles', 'bucket', colocate_with => 'buckets');
select create_distributed_table('group_chats', 'bucket', colocate_with => 'buckets');
select create_distributed_table('group_messages', 'bucket', colocate_with => 'buckets');
select create_distributed_table('group_visits', 'bucket', colocate_with => 'buckets');
select create_distributed_table('withheld_posts', 'bucket', colocate_with => 'buckets');
select create_distributed_table('chat_roles', 'bucket', colocate_with => 'buckets');
select create_distributed_table('chat_commands', 'bucket', colocate_with => 'buckets');
select create_distributed_table('rooms', 'bucket', colocate_with => 'buckets');
select create_distributed_table('chat_restrictions', 'bucket', colocate_with => 'buckets');
select create_distributed_table('chat_rules', 'bucket', colocate_with => 'buckets');
select create_distributed_table('chat_gates', 'bucket', colocate_with => 'buckets');
select create_distributed_table('chat_log', 'bucket', colocate_with => 'buckets');
select create_distributed_table('comment_threads', 'bucket', colocate_with => 'buckets');
select create_distributed_table('comments', 'bucket', colocate_with => 'buckets');
select create_distributed_table('held_messages', 'bucket', colocate_with => 'buckets');
select create_distributed_table('webhook_events', 'bucket', colocate_with => 'buckets');
select create_distributed_table('reactions', 'bucket', colocate_with => 'buckets');
select create_distributed_table('reaction_counts', 'bucket', colocate_with => 'buckets');
select create_distributed_table('pins', 'bucket', colocate_with => 'buckets');
select create_distributed_table('announcements', 'bucket', colocate_with => 'buckets');
select create_distributed_table('files', 'bucket', colocate_with => 'buckets');
select create_distributed_table('blobs_gone', 'bucket', colocate_with => 'buckets');
select create_distributed_table('imports', 'bucket', colocate_with => 'buckets');
select create_distributed_table('search_posts', 'bucket', colocate_with => 'buckets');
select create_distributed_table('search_gone', 'bucket', colocate_with => 'buckets');
select create_distributed_table('public_chats', 'bucket', colocate_with => 'buckets');

-- These are distributed by the bucket of the wallet, in the same shards.
select create_distributed_table('bookmarks', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('names', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('images', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('keys', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('guest_keys', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('sessions', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('api_keys', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('drafts', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('access_notices', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('unseen_changes', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('incoming_hooks', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('settings', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('notification_rules', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('push_subscriptions', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('push_marks', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('telegram_links', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('webhooks', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('webhook_waiting', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('webhook_deliveries', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('wallet_usage', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('wallet_files', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('wallets_seen', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('chain_facts', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('contacts', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('first_contacts', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('conversation_copies', 'wbucket', colocate_with => 'buckets');
select create_distributed_table('search_direct', 'wbucket', colocate_with => 'buckets');

-- Each node has a copy: every list of every bucket reads it, and writes are rare, because a write goes to all nodes.
select create_reference_table('profiles');
select create_reference_table('public_names');

-- These lie on the coordinator: they are small, or one statement of a request uses them at most. They are announced to the
-- cluster when a function writes them together with distributed tables, because then both are committed or none (two-phase
-- commit).
select citus_add_local_table_to_metadata('name_skeletons');
select citus_add_local_table_to_metadata('community_skeletons');

-- Not announced: plain tables of the coordinator.
-- local: blocked_files, bots, chain_names, chat_exports, chat_team, claim_codes, community_tweets, dm_mails, erasures, events_forgotten, failed_sign_ins, file_disks, first_host, handovers, imported_claims, log_readers, mail_hours, mail_quotas
-- local: moderation_head, moderation_log, officials, operators, rate_limits, reports, sanctions, service_keys, sign_outs, telegram_bots, telegram_codes, telegram_pace, used_nonces, wrong_codes, x_api_pause

-- Called on the nodes, by the statements that are passed on to them.
select create_distributed_function('next_id_v1(integer, bigint)');
select create_distributed_function('preview_v1(text, integer)');

-- Settings of the service's connections do not reach the connections between nodes, but those of its role do. Without it a
-- statement would wait for a lock on a node until its own timeout.
do $$ begin execute format('alter role %I in database %I set lock_timeout to ''2s''', current_user, current_database()); end $$;

-- Says how far the log is applied to the copies of conversations (server/src/cluster/follow-copies.ts): they show the present
-- state.
insert into log_readers select 'conversation-copies', min(number) * 64 + 63, 0, 0 from buckets on conflict (name) do update set id = excluded.id;
