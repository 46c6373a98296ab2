-- What a process that ended had leased.
create index outcomes_leased on bluepencil.outcomes (lease_session) where lease_session is not null
