-- oldest program: 0.2.0
-- When somebody of the staff put the list of first steps away; null: they have not.
alter table staff add column first_steps_dismissed_at timestamptz;
