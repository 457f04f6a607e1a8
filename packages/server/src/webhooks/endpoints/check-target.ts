import { createResolver } from '../delivery/send/resolve-host.ts';
import { readTarget, requirePublicAddress } from './address-guard.ts';

declare const checked: unique symbol;

/** URL that was checked. Only checked URLs are saved. */
export type TargetUrl = string & { readonly [checked]: true };

export interface CheckedTarget {
  url: TargetUrl;
  /** Warning for the actor, as a sentence; null if there is no warning. */
  warning: string | null;
}

/**
 * Checks a URL before it is saved, so that a private address is rejected immediately. The URL is checked again before
 * each request. A host name that can't be resolved only causes a warning.
 * @throws TargetRefused
 */
export async function checkTarget(text: string, allowPrivate: boolean): Promise<CheckedTarget> {
  const url = readTarget(text, allowPrivate);
  const target = { url: url.href as TargetUrl, warning: plainWarning(url) };
  if (allowPrivate) return target;
  const found = await createResolver({ useHostsFile: true })(url.hostname).catch(() => null);
  for (const { address } of found ?? []) requirePublicAddress(address);
  return found === null
    ? { ...target, warning: `${url.hostname} doesn't resolve to an address yet.` }
    : target;
}

/**
 * Checks a listener's URL. It may be on this machine, because only the listener itself sends requests to it.
 * @throws TargetRefused
 */
export const checkListenerTarget = (text: string): TargetUrl => readTarget(text, true).href as TargetUrl;

const plainWarning = ({ protocol }: URL): string | null =>
  protocol === 'http:' ? 'The URL uses http, so the events are sent unencrypted. Use https.' : null;
