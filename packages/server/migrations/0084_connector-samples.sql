-- oldest program: 0.2.0
-- Sample events, which the service signs itself, so they say nothing about what the provider sends.

alter table connector_event add column is_sample boolean not null default false;
