-- oldest program: 0.2.0
-- Time when the person dismissed the list of first steps; null when they have not.
alter table staff add column first_steps_dismissed_at timestamptz;
