import type { Page } from 'playwright-core';
import type { Furnished } from './furnish.ts';

/** State of a page of the portal. */
export interface PortalState {
  /** Name, which is also the screenshot's. */
  name: string;
  /** Path in the portal. */
  path: string | ((furnished: Furnished) => string);
  as: 'nova' | 'newcomer' | 'applicant' | 'iris' | null;
  /** Steps from the page to the state. */
  open?(page: Page, furnished: Furnished): Promise<unknown>;
  /** Behavior of the service: either its data requests fail, or they never end. If absent, it behaves normally. */
  answers?: 'failing' | 'never' | 'limited';
}
