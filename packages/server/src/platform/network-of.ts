import ipaddr from 'ipaddr.js';

/**
 * Returns the network under which requests from an address are counted. For IPv4 this is the address itself;
 * for IPv6 it is the /64, which belongs to one subscriber.
 * @param address as reported by a socket or a trusted proxy; returned unchanged if it is not an IP address
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
