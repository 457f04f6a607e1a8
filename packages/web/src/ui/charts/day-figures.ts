export interface DayFigures {
  /** `2026-07-01`, UTC. */
  day: string;
  /** Minor units as text, by series name. */
  minor: Readonly<Record<string, string>>;
}

export interface Series {
  name: string;
  label: string;
  /** Name of a theme color, such as `accent`. The lines also have different dash patterns. */
  color: string;
  strokeDasharray?: string;
  /** True if the area below the line is filled. */
  isFilled?: boolean;
}
