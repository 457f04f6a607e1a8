export interface DayFigures {
  /** `2026-07-01`, UTC. */
  day: string;
  /** Minor units as text, by the name of a series. */
  minor: Readonly<Record<string, string>>;
}

export interface Series {
  name: string;
  label: string;
  /** Of the theme, as `blue.6`. Lines differ in their strokes as well. */
  color: string;
  strokeDasharray?: string;
}
