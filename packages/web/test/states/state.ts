import type { Step } from './opening.ts';

/** State of the dashboard: a screen, or a dialog over it. */
export interface State {
  /** Name of the state, starting with its screen; also the name of its screenshots. */
  name: string;
  /** Path and query of the URL. */
  path: string;
  /** Steps from the screen to the state. */
  open?: Step;
  /** Behavior of the service: responds with 503, or never; normal when absent. */
  answers?: 'failing' | 'never';
  /** True for a page without a session. */
  isOutside?: true;
}
