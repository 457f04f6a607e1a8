-- oldest program: 0.2.0
-- The day on which a group's payouts are planned (docs/adr/0081-payout-calendar.md): {"dayOfMonth": 15, "withinDays": 3}.
alter table creator_group add column payout_calendar jsonb;
-- squawk-ignore constraint-missing-not-valid -- a publisher has a few groups, so the check takes milliseconds
alter table creator_group add constraint creator_group_calendar check (
  (payout_calendar ->> 'dayOfMonth')::integer between 1 and 28 and (payout_calendar ->> 'withinDays')::integer between 0 and 15
);
