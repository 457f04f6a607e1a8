-- oldest program: 0.2.0
-- Accounts that a verified provider account proves (docs/adr/0110-named-provider-accounts.md).

-- squawk-ignore constraint-missing-not-valid -- dropped and added in one transaction, and the table is new in this release
alter table portal_user_account drop constraint portal_user_account_proof_check;
alter table portal_user_account add constraint portal_user_account_proof_check
  check (proof in ('invitation', 'auth-code', 'application', 'provider')) not valid;
