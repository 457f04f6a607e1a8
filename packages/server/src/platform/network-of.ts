import ipaddr from 'ipaddr.js';

/**
 * Returns the network that requests from an address are counted for: the address itself for IPv4, and the /64 for IPv6,
 * because it belongs to a single subscriber.
 * @param address as reported by a socket or a trusted proxy; returned unchanged if it is not an IP address
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
