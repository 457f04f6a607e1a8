import { isVisible } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';

/** One @, no spaces, a name of a host: what mail can be sent to is known once it was. */
const shape = /^[^\s@<>",;]{1,64}@[^\s@<>",;]{1,189}$/;

/**
 * An address as it is stored and compared.
 * @throws Refusal InvalidInput
 */
export function emailAddress(text: string): string {
  const address = text.trim().toLowerCase();
  if (shape.test(address) && isVisible(address)) return address;
  throw new Refusal('InvalidInput', 'That is no address of mail.', { path: ['email'] });
}
