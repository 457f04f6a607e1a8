-- oldest program: 0.2.0
-- Any number of OpenID Connect providers for creators (docs/adr/0105-several-providers-of-creators.md).

-- provider, method: also the ids that the settings give to OpenID Connect providers.
-- squawk-ignore constraint-missing-not-valid -- dropped and added in one transaction, and the table is new in this release
alter table portal_provider_account drop constraint portal_provider_account_provider_check;
alter table portal_provider_account add constraint portal_provider_account_provider_check
  check (provider ~ '^[a-z][a-z0-9-]{0,29}$' and provider <> 'passkey') not valid;
-- squawk-ignore constraint-missing-not-valid -- as above
alter table portal_attempt drop constraint portal_attempt_method_check;
alter table portal_attempt add constraint portal_attempt_method_check
  check (method ~ '^[a-z][a-z0-9-]{0,29}$') not valid;
