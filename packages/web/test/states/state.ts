import type { Step } from './opening.ts';

/** State of the dashboard: a screen, or a dialog over it. */
export interface State {
  /** Name, which starts with the screen's name. The screenshot has the same name. */
  name: string;
  path: string;
  /** Steps from the screen to the state. */
  open?: Step;
  /**
   * Behavior of the service: either it responds with 429, or it never responds. If absent, it behaves
   * normally.
   */
  answers?: 'failing' | 'never';
  /** True for a page without a session. */
  isOutside?: true;
}
