-- Which batch has an event.
create index chain_up_to on bluepencil.chain (up_to)
