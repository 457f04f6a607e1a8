export interface DayFigures {
  /** `2026-07-01`, UTC. */
  day: string;
  /** Minor units as text, by series name. */
  minor: Readonly<Record<string, string>>;
}

export interface Series {
  name: string;
  label: string;
  /** Theme color, such as `accent.7`. The lines also have different dash patterns. */
  color: string;
  strokeDasharray?: string;
}
