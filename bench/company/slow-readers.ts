import { holdSockets } from './clients.ts';
import { heavyGroup, type Told, type World } from './world.ts';

/** Who asks for a large answer and never reads it. */
async function neverRead(world: World, sockets: number, request: string): Promise<Told> {
  const held = await holdSockets(world, sockets, (socket) => {
    socket.pause();
    socket.write(request);
  });
  return { said: `${held.opened} sockets, ${held.ended} ended by the service` };
}

export const slowReadersOfTheScript = (world: World): Promise<Told> =>
  neverRead(world, 400, 'GET /docs/js/scalar.js HTTP/1.1\r\nHost: bench\r\n\r\n');

export const slowReadersOfPages = (world: World): Promise<Told> =>
  neverRead(
    world,
    80,
    `GET /v1/manage/members?pageSize=1000&groupId=${heavyGroup} HTTP/1.1\r\nHost: bench\r\nX-SHARED-SECRET: ${world.publicKey}\r\n\r\n`,
  );
