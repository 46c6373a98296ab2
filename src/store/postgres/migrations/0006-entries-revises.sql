-- What names an entry: `later` and `decide` follow it both ways. Hardly any entry names another, so it stays small.
create index entries_revises on bluepencil.entries (revises) where revises is not null
