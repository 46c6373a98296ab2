-- When the next one of a channel falls due, asked before each message: one row of the index, however long the backlog.
create index outcomes_ready on bluepencil.outcomes (channel, ready) where state = 'waiting'
