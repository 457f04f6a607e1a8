import { Type } from 'typebox';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { networkOf } from '../../platform/network-of.ts';
import { Refusal } from '../../platform/refusal.ts';
import { TokenBuckets } from '../../platform/work/token-bucket.ts';
import { logoName } from './read-brand.ts';
import { readStoredLogo, type StoredLogo } from './read-stored-logo.ts';

/** Maximum number of cached logos, which take up at most 8 MB. */
const maxCached = 32;
/** Maximum time that a process continues to serve a removed logo. */
const trustMs = 5_000;
/** Rate limit for wrong addresses requested by a network, because each is looked up in the database. */
const misses = { perSecond: 2, burst: 60 };

/**
 * Serves logos to any client: mail clients and the portal load them without a session. The URL contains the image's
 * hash, so its content never changes.
 */
export function logoRoute(app: App, db: Db, clock: Clock): void {
  const cached = boundedCache<StoredLogo>(maxCached, trustMs);
  const loading = new Map<string, Promise<StoredLogo | null>>();
  const wrong = new TokenBuckets(misses.perSecond, misses.burst);

  const load = (publisherId: string): Promise<StoredLogo | null> => {
    const running = loading.get(publisherId);
    if (running !== undefined) return running;
    const started = readStoredLogo(db, publisherId)
      .then((logo) => {
        if (logo !== null) cached.set(publisherId, logo);
        return logo;
      })
      .finally(() => loading.delete(publisherId));
    loading.set(publisherId, started);
    return started;
  };

  const find = async (ip: string, publisherId: string, name: string): Promise<StoredLogo | null> => {
    const known = cached.get(publisherId);
    if (known !== undefined && logoName(known) === name) return known;
    const network = networkOf(ip);
    if (!wrong.take(network, clock.now().getTime()))
      throw new Refusal('RateLimited', 'Too many requests for logos that do not exist. Try again later.');
    const found = await load(publisherId);
    if (found === null || logoName(found) !== name) return null;
    wrong.giveBack(network);
    return found;
  };

  app.get(
    '/logos/:publisherId/:name',
    {
      schema: {
        hide: true,
        params: Type.Object({
          publisherId: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' }),
          name: Type.String({ pattern: '^[0-9a-f]{32}\\.(png|jpg|webp)$' }),
        }),
      },
    },
    async (request, reply) => {
      const { publisherId, name } = request.params as { publisherId: string; name: string };
      const logo = await find(request.ip, publisherId, name);
      if (logo === null) throw new Refusal('NotFound', 'There is no such logo.');
      const etag = `"${logo.hash}"`;
      reply.headers({
        'content-type': logo.type,
        'cache-control': 'public, max-age=86400, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'content-disposition': 'inline',
        etag,
      });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      reply.hasSharedBody = true;
      return reply.send(logo.image);
    },
  );
}
