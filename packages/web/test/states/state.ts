import type { Step } from './opening.ts';

/** Something the dashboard can show: a screen, or what is open over it. */
export interface State {
  /** The screen, and then what is open: also the name of its pictures. */
  name: string;
  /** Where it is, from the address's first slash on. */
  path: string;
  /** How one gets there from the screen. */
  open?: Step;
  /** How the service answers: it says 503, or nothing at all. As it is when absent. */
  answers?: 'failing' | 'never';
  /** For those who are not signed in. */
  isOutside?: true;
}
