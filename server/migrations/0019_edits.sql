-- Edits of messages. The row of a message has its present text, and in `edits` what stood before: so both end together.
--
-- A version of a message is {"rev", "ms", "message"} with "encrypted_sym_x_key" and "x_access_conditions" where it is encrypted.
-- An edit that only its author sees (its author is muted unseen, or blocked by the other wallet) is the version `own`; then the
-- other columns have what all others see. In `edits` such a version has "own": true; what all see is not there, but in the row.

create function version_v1(
  p_rev integer, p_ms bigint, p_message text, p_encrypted_sym_x_key text, p_x_access_conditions text
) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(jsonb_build_object('rev', p_rev, 'ms', p_ms, 'message', p_message,
    'encrypted_sym_x_key', p_encrypted_sym_x_key, 'x_access_conditions', p_x_access_conditions));
$$;

-- Puts a version into earlier ones, in the place of the one with its number that is as it is for its author alone, or for all.
-- They are in the order of numbers.
create function with_version_v1(p_edits jsonb, p_version jsonb) returns jsonb language sql immutable as $$
  select jsonb_agg(u.v order by (u.v->>'rev')::integer, u.v ? 'own') from (
    select e.v from jsonb_array_elements(coalesce(p_edits, '[]')) as e (v)
    where e.v->'rev' <> p_version->'rev' or (e.v ? 'own') <> (p_version ? 'own')
    union all select p_version
  ) u;
$$;

-- Returns the earlier versions after an edit with the number `p_rev`, before which all saw `p_shown`, null where they still do,
-- and its author `p_own`, null where that was the same. What is replaced under its number is no earlier version.
create function edits_after_v1(p_edits jsonb, p_shown jsonb, p_own jsonb, p_rev integer) returns jsonb language plpgsql immutable as $$
begin
  if (p_shown->>'rev')::integer < p_rev then
    p_edits := with_version_v1(p_edits, p_shown);
  end if;
  if (p_own->>'rev')::integer < p_rev then
    p_edits := with_version_v1(p_edits, p_own || '{"own":true}');
  end if;
  return p_edits;
end $$;

-- Returns what stood in a message before, as its author sees it or as all others do, in the order of numbers. `p_shown` is what
-- all see now: an earlier version for its author, who sees `p_own` where that is not null.
create function seen_versions_v1(p_edits jsonb, p_shown jsonb, p_own jsonb, p_is_author boolean) returns jsonb
language sql immutable as $$
  select coalesce(jsonb_agg(s.v - 'own' order by (s.v->>'rev')::integer), '[]') from (
    select distinct on ((u.v->>'rev')::integer) u.v from (
      select e.v from jsonb_array_elements(coalesce(p_edits, '[]')) as e (v) where p_is_author or not e.v ? 'own'
      union all select p_shown where p_is_author and (p_shown->>'rev')::integer < (p_own->>'rev')::integer
    ) u order by (u.v->>'rev')::integer, u.v ? 'own' desc
  ) s;
$$;

-- Returns earlier versions without what their author alone sees: they are deleted where the author sees the message no longer.
create function without_own_v1(p_edits jsonb) returns jsonb language sql immutable as $$
  select jsonb_agg(e.v order by (e.v->>'rev')::integer) from jsonb_array_elements(p_edits) as e (v) where not e.v ? 'own';
$$;

-- Says why an edit is refused, in the words of edit_direct_message_v1; null when it is not. `p_seen` is the version that its
-- author sees.
create function edit_refused_v1(p_ms bigint, p_sent_ms bigint, p_seen jsonb, p_revision integer, p_is_sealed boolean, p_replaces boolean)
returns text language sql immutable as $$
  select case
    when (p_seen->>'rev')::integer <> p_revision then 'revision'
    when p_ms - p_sent_ms >= 86400000 then 'too-late'
    when p_replaces and p_ms - p_sent_ms >= 120000 then 'written'
    when not p_replaces and p_revision >= 10 then 'too-many'
    when p_seen ? 'encrypted_sym_x_key' and not p_is_sealed then 'sealed'
  end;
$$;

-- Edits a direct message of a wallet. Returns why it is refused, or null; and the recipient's policy:
--   none           the wallet has sent no such message
--   revision       its revision is another one
--   too-late       it is older than a day
--   written        it is older than two minutes, and is replaced
--   too-many       it was edited ten times
--   sealed         it is encrypted, and the new text is not
--   blocked        the wallet has blocked the other one
--   same           it has this text
--   not-accepting  its recipient accepts messages from contacts only, as in send_direct_message_v1
--   holders        its recipient accepts messages from holders of `policy` only: call the chain, and retry with `p_holder`
--   pending        the other wallet has not accepted its requests, which would have more than 16 KiB
-- With `p_replaces` the number stays and nothing is stored of the text before: a bot writes so while it makes its text.
create function edit_direct_message_v1(
  p_ms bigint, p_bucket integer, p_conversation_id bigint, p_id bigint, p_wallet text, p_revision integer,
  p_message text, p_encrypted_sym_x_key text, p_x_access_conditions text, p_unseen boolean, p_replaces boolean, p_event jsonb,
  -- They are as in send_direct_message_v1.
  p_dm_default text, p_holder text, out refused text, out policy text
) language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket, p_bucket]);
  c conversations;
  m direct_messages;
  is_a boolean;
  peer text;
  shown jsonb;
  seen jsonb;
  next jsonb;
  grown integer;
  is_unseen boolean;
begin
  select * into c from conversations where bucket = p_bucket and id = p_conversation_id for update;
  is_a := c.a = p_wallet;
  peer := case when is_a then c.b else c.a end;
  select * into m from direct_messages
  where bucket = p_bucket and conversation_id = p_conversation_id and id = p_id and fromaddr = p_wallet
    and id > case when is_a then c.erased_a else c.erased_b end and not hidden_from_sender;
  if not found then
    refused := 'none';
    return;
  end if;
  shown := version_v1(coalesce(m.rev, 0), coalesce(m.edited_ms, m.ms), m.message, m.encrypted_sym_x_key, m.x_access_conditions);
  seen := coalesce(m.own, shown);
  next := version_v1(p_revision + (not p_replaces)::integer, case when p_replaces then (seen->>'ms')::bigint else p_ms end,
    p_message, p_encrypted_sym_x_key, p_x_access_conditions);
  refused := coalesce(edit_refused_v1(p_ms, m.ms, seen, p_revision, p_encrypted_sym_x_key is not null, p_replaces), case
    when c.a <> c.b and (case when is_a then c.blocked_a else c.blocked_b end) then 'blocked'
    when next - 'rev' - 'ms' = seen - 'rev' - 'ms' then 'same' end);
  if refused is not null then
    return;
  end if;
  -- A wallet that is not accepted edits what it may send.
  if c.a <> c.b and (case when is_a then c.state_b else c.state_a end) <> 1 then
    policy := nullif(coalesce((select p.dm_policy from profiles p where p.address = peer), p_dm_default), 'everyone');
    refused := case when policy = 'contacts' then 'not-accepting'
      when policy <> 'requests' and p_holder is null then 'holders' end;
    -- Its requests have a limit of bytes.
    if (policy is not null and p_holder is distinct from 'holder') or (case when is_a then c.asked_a else c.asked_b end) > 0 then
      grown := greatest(0, octet_length(p_message) + coalesce(octet_length(p_encrypted_sym_x_key), 0)
        + coalesce(octet_length(p_x_access_conditions), 0) - octet_length(seen->>'message')
        - coalesce(octet_length(seen->>'encrypted_sym_x_key'), 0) - coalesce(octet_length(seen->>'x_access_conditions'), 0));
      if grown + (case when is_a then c.asked_bytes_a else c.asked_bytes_b end) > 16384 then
        refused := coalesce(refused, 'pending');
      end if;
    end if;
    if refused is not null then
      return;
    end if;
    update conversations set asked_bytes_a = asked_bytes_a + case when is_a then coalesce(grown, 0) else 0 end,
      asked_bytes_b = asked_bytes_b + case when is_a then 0 else coalesce(grown, 0) end
    where bucket = p_bucket and a = c.a and b = c.b;
  end if;
  -- Its recipient sees no withheld message, so its author alone sees the edit of one anyway.
  is_unseen := not m.withheld and (p_unseen or c.a <> c.b and case when is_a then c.blocked_b else c.blocked_a end);
  if is_unseen then
    update direct_messages set own = next, marks = marks | 17, edits = edits_after_v1(edits, null, m.own, (next->>'rev')::integer)
    where bucket = p_bucket and conversation_id = p_conversation_id and id = p_id;
  else
    update direct_messages set marks = marks | 1, message = p_message, encrypted_sym_x_key = p_encrypted_sym_x_key,
      x_access_conditions = p_x_access_conditions, rev = nullif((next->>'rev')::smallint, 0),
      edited_ms = case when next->>'rev' <> '0' then (next->>'ms')::bigint end,
      edits = edits_after_v1(edits, shown, m.own, (next->>'rev')::integer), own = null
    where bucket = p_bucket and conversation_id = p_conversation_id and id = p_id;
  end if;
  -- An inbox searches the message instead of its copy.
  update conversations set last_item = null where bucket = p_bucket and a = c.a and b = c.b and last_id = p_id;
  perform announce_v1(p_ms, p_bucket, drawn[1:1], array[p_wallet], p_event);
  if not is_unseen and not m.withheld and c.a <> c.b and not m.hidden_from_recipient
    and p_id > (case when is_a then c.erased_b else c.erased_a end) then
    perform announce_v1(p_ms, p_bucket, drawn[2:2], array[peer], p_event);
  end if;
end $$;

-- Does the same for a message of a chat, also for one that only its author sees. One row notifies all members. It is also refused
-- where the message waits for a moderator (`held`), who approves what he has read.
create function edit_post_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_id bigint, p_wallet text, p_revision integer, p_message text,
  p_unseen boolean, p_replaces boolean, p_event jsonb
) returns text language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket]);
  m group_messages;
  w withheld_posts;
  is_withheld boolean;
  shown jsonb;
  seen jsonb;
  next jsonb;
  refused text;
begin
  perform from group_chats where bucket = p_bucket and chat = p_chat for update;
  select * into m from group_messages
  where bucket = p_bucket and chat = p_chat and id = p_id and fromaddr = p_wallet and removed_by is null;
  is_withheld := not found;
  if is_withheld then
    select * into w from withheld_posts
    where bucket = p_bucket and chat = p_chat and fromaddr = p_wallet and id = p_id and removed_by is null;
    if not found then
      return 'none';
    end if;
    shown := version_v1(coalesce(w.rev, 0), coalesce(w.edited_ms, w.ms), w.message, null, null);
  else
    shown := version_v1(coalesce(m.rev, 0), coalesce(m.edited_ms, m.ms), m.message, null, null);
  end if;
  seen := coalesce(m.own, shown);
  refused := coalesce(case when w.held then 'held' end,
    edit_refused_v1(p_ms, coalesce(m.ms, w.ms), seen, p_revision, false, p_replaces));
  if refused is not null then
    return refused;
  end if;
  next := version_v1(p_revision + (not p_replaces)::integer, case when p_replaces then (seen->>'ms')::bigint else p_ms end,
    p_message, null, null);
  if next->'message' = seen->'message' then
    return 'same';
  end if;
  if is_withheld then
    update withheld_posts set marks = marks | 1, message = p_message, rev = nullif((next->>'rev')::smallint, 0),
      edited_ms = case when next->>'rev' <> '0' then (next->>'ms')::bigint end,
      edits = edits_after_v1(edits, shown, null, (next->>'rev')::integer)
    where bucket = p_bucket and chat = p_chat and fromaddr = p_wallet and id = p_id;
  elsif p_unseen then
    update group_messages set own = next, marks = marks | 17, edits = edits_after_v1(edits, null, m.own, (next->>'rev')::integer)
    where bucket = p_bucket and chat = p_chat and id = p_id;
  else
    update group_messages set marks = marks | 1, message = p_message, rev = nullif((next->>'rev')::smallint, 0),
      edited_ms = case when next->>'rev' <> '0' then (next->>'ms')::bigint end,
      edits = edits_after_v1(edits, shown, m.own, (next->>'rev')::integer), own = null
    where bucket = p_bucket and chat = p_chat and id = p_id;
  end if;
  update group_chats set last_item = null where bucket = p_bucket and chat = p_chat and last_id = p_id;
  perform announce_v1(p_ms, p_bucket, drawn,
    array['chat ' || p_chat || case when p_unseen or is_withheld then ' ' || p_wallet else '' end], p_event);
  return null;
end $$;
