import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Refusal } from '../../platform/refusal.ts';

/** A target that webhooks must not reach; the message is for the publisher. */
export class TargetRefused extends Refusal {
  constructor(message: string) {
    super('InvalidInput', message, { path: ['url'] });
  }
}

/** Public by its number, and inside all the same: what Azure's machines ask for their own secrets. */
const platformAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

const anywhere = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is one of the public internet: not private, loopback, link-local, shared, reserved, or one
 * of IPv6 that carries an IPv4 address inside.
 */
export function isPublicAddress(address: string): boolean {
  // A zone (fe80::1%eth0) names a link of this machine.
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (platformAddresses.has(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(anywhere));
}

/** @throws TargetRefused for an address that is not public */
export function requirePublicAddress(address: string): void {
  if (!isPublicAddress(address))
    throw new TargetRefused(
      `The address ${address} is not one of the public internet, and is not sent to (WEBHOOK_ALLOW_PRIVATE_TARGETS).`,
    );
}

/** The address that a URL names without DNS, in its one spelling: URL has read hexadecimal, octal and short forms. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

/**
 * What a webhook's address must be to be saved.
 * @throws TargetRefused in words for the publisher
 */
export function readTarget(text: string, allowPrivate: boolean): URL {
  if (text.length > 2_000 || !URL.canParse(text))
    throw new TargetRefused('The URL must be like https://example.com/webhooks.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TargetRefused('The URL must start with https:// or http://.');
  if (url.username !== '' || url.password !== '')
    throw new TargetRefused('The URL must not hold a user name or a password; signatures prove who sends.');
  url.hash = '';
  if (url.href.length > 2_000) throw new TargetRefused('The URL is longer than 2,000 characters.');
  const address = literalAddress(url.hostname);
  if (!allowPrivate && address !== null) requirePublicAddress(address);
  if (!allowPrivate && ownName.test(url.hostname))
    throw new TargetRefused(`${url.hostname} is an address of this machine (WEBHOOK_ALLOW_PRIVATE_TARGETS).`);
  return url;
}

/** Names that mean the machine itself wherever they are looked up (RFC 6761). */
const ownName = /(^|\.)localhost\.?$/;
