import { hash } from 'node:crypto';
import { Refusal } from '../../platform/refusal.ts';

/** Places of the text on the stream. */
export const placements = ['top', 'middle', 'bottom'] as const;
export type Placement = (typeof placements)[number];

/** Settings of an overlay. */
export interface AlertSettings {
  /** Text with the placeholders `{product}` and `{code}`, up to 120 characters. */
  text: string;
  placement: Placement;
  /** Number of seconds for which a purchase is shown: 3 to 20. */
  showSeconds: number;
}

/** Settings of a new stream alert. */
export const firstSettings: AlertSettings = {
  text: 'New purchase with code {code}: {product}',
  placement: 'top',
  showSeconds: 6,
};

/** Person whose stream alert is meant, and the publisher whose purchases it shows. */
export interface AlertOwner {
  publisherId: string;
  userId: string;
}

/** Returns the hash under which a secret is stored. Secrets have 190 random bits, so the hash doesn't need a salt. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Creates the refusal for an address that was replaced or never existed. */
export const addressEnded = (): Refusal =>
  new Refusal('Unauthorized', "This address doesn't work anymore. Copy a new one from the creators' portal.");

export const noAlert = (): Refusal =>
  new Refusal('NotFound', 'There is no stream alert at this publisher. Create its address first.');
