import ipaddr from 'ipaddr.js';

/**
 * Names what an address is counted as: itself, or of IPv6 its /64, every address of which one subscriber has.
 * @param address as a socket or a trusted proxy names it; what is no address stands for itself
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
