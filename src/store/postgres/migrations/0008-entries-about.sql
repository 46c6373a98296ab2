-- What names an entry: `later` and `decide` follow it both ways. Hardly any entry names another, so it stays small.
create index entries_about on bluepencil.entries (about) where about is not null
