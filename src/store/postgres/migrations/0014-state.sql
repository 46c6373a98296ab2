-- Small state, by its key, as JSON; null where nothing was kept yet.
create table bluepencil.state (key text primary key, value text)
