-- oldest program: 0.2.0
-- No row that says what was earned or paid is deleted, and no payout's item is changed. Of the other columns the service's
-- role may update those that it does (platform/database/schema/service-rights.ts, docs/adr/0051-rights-by-column.md).

revoke delete, truncate on payment, payout_batch, clawback, reward_payment from current_user;
revoke update, delete, truncate on payout_item from current_user;
revoke delete, truncate on member_balance, earning_rollup, group_rollup, transaction_count from current_user;
revoke delete, truncate on bounty_completion, progress_reward from current_user;
