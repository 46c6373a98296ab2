-- What names an entry: `later` and `decide` follow it both ways. Hardly any entry names another, so it stays small.
create index entries_same_as on bluepencil.entries (same_as) where same_as is not null
