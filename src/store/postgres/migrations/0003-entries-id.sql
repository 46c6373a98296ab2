-- One event, once, whoever accepts it; `explain` and `find` read by it.
create unique index entries_id on bluepencil.entries (id)
