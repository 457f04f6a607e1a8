import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Refusal } from '../../platform/refusal.ts';

/** Error for a URL that webhooks must not be sent to. Its message is shown to the publisher. */
export class TargetRefused extends Refusal {
  constructor(message: string) {
    super('InvalidInput', message, { path: ['url'] });
  }
}

/** Addresses in public ranges that are internal to a platform: Azure's metadata service for virtual machines. */
const platformAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

const anywhere = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns whether an address is on the public internet: not private, loopback, link-local, shared or reserved, and not
 * an IPv6 address with an embedded IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  // A zone (fe80::1%eth0) is a network interface of this machine.
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (platformAddresses.has(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(anywhere));
}

/** @throws TargetRefused */
export function requirePublicAddress(address: string): void {
  if (!isPublicAddress(address))
    throw new TargetRefused(
      `The address ${address} isn't on the public internet (see WEBHOOK_ALLOW_PRIVATE_TARGETS).`,
    );
}

/**
 * Returns the IP address in a URL's host name, or null if the host name is not an address. `URL` has already
 * normalized hexadecimal and short forms.
 */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

/**
 * Parses and checks the URL of an endpoint, without DNS.
 * @throws TargetRefused
 */
export function readTarget(text: string, allowPrivate: boolean): URL {
  if (text.length > 2_000 || !URL.canParse(text))
    throw new TargetRefused('The URL must look like https://example.com/webhooks.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TargetRefused('The URL must start with https:// or http://.');
  if (url.username !== '' || url.password !== '')
    throw new TargetRefused("The URL can't contain a user name or password. Verify the signature instead.");
  url.hash = '';
  if (url.href.length > 2_000) throw new TargetRefused('The URL must be at most 2,000 characters long.');
  const address = literalAddress(url.hostname);
  if (!allowPrivate && address !== null) requirePublicAddress(address);
  if (!allowPrivate && ownName.test(url.hostname))
    throw new TargetRefused(
      `${url.hostname} is an address of this machine (see WEBHOOK_ALLOW_PRIVATE_TARGETS).`,
    );
  return url;
}

/** Names that always resolve to the machine itself (RFC 6761). */
const ownName = /(^|\.)localhost\.?$/;
