-- oldest program: 0.2.0
-- For the statements of a month, which read a member's entries since its start. Entries of postings and rewards have ids in the
-- order of time. Those of refunds, clawbacks and payouts have the ids of older rows (docs/adr/0070-month-in-one-file.md).

-- squawk-ignore require-concurrent-index-creation -- delays posting and payouts, not recording, while the ledger is read once: about a minute for a hundred million entries
create index ledger_entry_not_posted on ledger_entry (publisher_id, membership_id, currency, created_at)
  where kind <> 'payment';
