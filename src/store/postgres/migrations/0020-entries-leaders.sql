-- Which alerts are told in the message about another (`story`).
create index entries_leaders on bluepencil.entries using gin (leaders) where leaders is not null
