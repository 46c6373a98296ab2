create index outcomes_held on bluepencil.outcomes (seq) where state = 'held'
