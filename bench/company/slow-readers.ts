import { holdSockets } from './clients.ts';
import { heavyGroup, type Outcome, type World } from './world.ts';

/** Requests a large response on each socket but never reads it. */
async function requestWithoutReading(world: World, sockets: number, request: string): Promise<Outcome> {
  const held = await holdSockets(world, sockets, (socket) => {
    socket.pause();
    socket.write(request);
  });
  return { summary: `${held.opened} sockets, ${held.ended} ended by the service` };
}

export const slowReadersOfTheScript = (world: World): Promise<Outcome> =>
  requestWithoutReading(world, 400, 'GET /docs/js/scalar.js HTTP/1.1\r\nHost: bench\r\n\r\n');

export const slowReadersOfPages = (world: World): Promise<Outcome> =>
  requestWithoutReading(
    world,
    80,
    `GET /v1/manage/members?pageSize=1000&groupId=${heavyGroup} HTTP/1.1\r\nHost: bench\r\nX-SHARED-SECRET: ${world.publicKey}\r\n\r\n`,
  );
