-- oldest program: 0.2.0
-- Rows about earned or paid money are never deleted, and payout items are never changed. The service's role may update only the
-- columns that it needs to (platform/database/schema/service-rights.ts, docs/adr/0051-rights-by-column.md).

revoke delete, truncate on payment, payout_batch, clawback, reward_payment from current_user;
revoke update, delete, truncate on payout_item from current_user;
revoke delete, truncate on member_balance, earning_rollup, group_rollup, transaction_count from current_user;
revoke delete, truncate on bounty_completion, progress_reward from current_user;
