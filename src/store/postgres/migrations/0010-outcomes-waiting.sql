-- The due notifications of a channel, oldest event first; what is sent leaves it.
create index outcomes_waiting on bluepencil.outcomes (channel, seq) where state = 'waiting'
