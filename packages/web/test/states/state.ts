import type { Step } from './opening.ts';

/** State of the dashboard: a screen, or a dialog over it. */
export interface State {
  /** Name that starts with the screen's. Also used to name screenshots. */
  name: string;
  /** Path and query of the URL. */
  path: string;
  /** Steps from the screen to the state. */
  open?: Step;
  /** Behavior of the service: it responds with 503, or never. If absent, it behaves normally. */
  answers?: 'failing' | 'never';
  /** True for a page without a session. */
  isOutside?: true;
}
