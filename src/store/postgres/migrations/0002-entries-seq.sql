-- No cache: what is accepted later has the higher number, whichever process accepts it.
create sequence bluepencil.entries_seq cache 1 owned by bluepencil.entries.seq
