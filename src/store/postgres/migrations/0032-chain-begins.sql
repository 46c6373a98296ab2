-- Where a part of the chain was lost: what, and why, as a sentence (docs/evidence.md).
alter table bluepencil.chain add column begins text
