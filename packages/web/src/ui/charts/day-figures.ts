export interface DayFigures {
  /** `2026-07-01`, UTC. */
  day: string;
  /** Minor units as text, keyed by the name of a series. */
  minor: Readonly<Record<string, string>>;
}

export interface Series {
  name: string;
  label: string;
  /** Theme color, such as `blue.6`. Lines differ in their dashes as well. */
  color: string;
  strokeDasharray?: string;
}
