import { createResolver } from '../delivery/send/resolve-host.ts';
import { readTarget, requirePublicAddress } from './address-guard.ts';

declare const checked: unique symbol;

/** An address that events may be sent to: no other is saved. */
export type TargetUrl = string & { readonly [checked]: true };

export interface CheckedTarget {
  url: TargetUrl;
  /** What whoever saves it should know, in a sentence; null for nothing. */
  warning: string | null;
}

/**
 * Checks an address before it is saved: one that leads inside is refused now rather than at the first event, where it is
 * checked again. A name may not be known yet.
 * @throws TargetRefused
 */
export async function checkTarget(text: string, allowPrivate: boolean): Promise<CheckedTarget> {
  const url = readTarget(text, allowPrivate);
  const target = { url: url.href as TargetUrl, warning: plainWarning(url) };
  if (allowPrivate) return target;
  const found = await createResolver({ useHostsFile: true })(url.hostname).catch(() => null);
  for (const { address } of found ?? []) requirePublicAddress(address);
  return found === null
    ? { ...target, warning: `${url.hostname} has no address that can be found from here, now.` }
    : target;
}

/** For what no worker sends to: a listener's, who is on this machine and sends to it. @throws TargetRefused */
export const checkListenerTarget = (text: string): TargetUrl => readTarget(text, true).href as TargetUrl;

const plainWarning = ({ protocol }: URL): string | null =>
  protocol === 'http:' ? 'The address is http: anybody on the way can read what is sent.' : null;
