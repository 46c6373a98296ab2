-- What was accepted lately for a model by one way, for `decide`: an index scan, backwards, of as many rows as there are.
create index entries_near on bluepencil.entries (model, way, seq) where way is not null
