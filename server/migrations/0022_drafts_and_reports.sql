-- The API key that made a draft, which may list and discard no other one. Null where the wallet made it, and in drafts that
-- were made before this column.
alter table drafts add column api_key text collate "C";

-- What lists show of the messages of a report, so that they do not read the copies.
alter table reports
  -- An array of objects with id and proof.
  add column items json not null default '[]',
  add column messages smallint not null default 0,
  -- Those of them that are direct messages.
  add column direct_ids bigint[] not null default '{}';
update reports set
  items = coalesce((select json_agg(json_build_object('id', e->'id', 'proof', e->'proof') order by n)
    from json_array_elements(evidence::json) with ordinality as one (e, n)), '[]'),
  messages = json_array_length(evidence::json),
  direct_ids = array(select (e->>'id')::bigint from json_array_elements(evidence::json) e where e->'toaddr' is not null),
  -- A report that nobody has closed has an end too: a year.
  expires_ms = case when status <> 'closed' and expires_ms is null then ms + 365 * 86400000::bigint else expires_ms end;
