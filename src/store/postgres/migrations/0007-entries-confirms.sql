-- What names an entry: `later` and `decide` follow it both ways. Hardly any entry names another, so it stays small.
create index entries_confirms on bluepencil.entries (confirms) where confirms is not null
