create table images (
  id bigint generated always as identity,
  -- A wallet or NFT contract, or the slug of a community in lower case.
  addr text collate "C" primary key,
  -- As it was sent, base64 or data URL.
  base64data text not null,
  -- A data URL of a few KiB, for lists: they never touch the picture itself.
  thumbnail text not null
);
-- Pictures are compressed already: kept outside of the row, without trying again.
alter table images alter column base64data set storage external;
