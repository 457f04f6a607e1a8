import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { literalAddress, requirePublicAddress } from '../../endpoints/address-guard.ts';
import { createResolver, type ResolverOptions } from './resolve-host.ts';

/**
 * Creates a connector that connects only to checked addresses. Each name is resolved once, every address is checked,
 * and the connection uses a checked address, so DNS can't change the result in between. An IP address in the URL itself
 * doesn't reach `lookup`, so it is checked before connecting. Every connection's remote address is checked as well.
 */
export function guardedConnector(
  allowPrivate: boolean,
  timeoutMs: number,
  dnsServers: ResolverOptions['servers'],
): buildConnector.connector {
  const resolveHost = createResolver({
    useHostsFile: allowPrivate,
    ...(dnsServers !== undefined && { servers: dnsServers }),
  });
  const check = (address: string): void => {
    if (!allowPrivate) requirePublicAddress(address);
  };
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    resolveHost(hostname).then(
      (addresses) => {
        try {
          for (const { address } of addresses) check(address);
        } catch (error) {
          return callback(error as Error, '');
        }
        const [first] = addresses;
        if (all)
          return callback(
            null,
            addresses.map((each) => ({ ...each })),
          );
        callback(null, first?.address ?? '', first?.family);
      },
      (error) => callback(error, ''),
    );
  };
  const connect = buildConnector({ lookup, timeout: timeoutMs, allowH2: false });
  return (target, callback) => {
    try {
      const address = literalAddress(target.hostname);
      if (address !== null) check(address);
    } catch (error) {
      return callback(error as Error, null);
    }
    connect(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      try {
        check(socket.remoteAddress ?? '');
      } catch (refusal) {
        socket.destroy();
        return callback(refusal as Error, null);
      }
      callback(null, socket);
    });
  };
}
