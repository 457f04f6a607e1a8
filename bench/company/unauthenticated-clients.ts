import { holdSockets, isOver, send, startAgent, Tally, transactions } from './clients.ts';
import type { Outcome, World } from './world.ts';

const sockets = 420;
const deep = '['.repeat(5 * 1024 * 1024);

/**
 * Sends requests without a key: incomplete bodies for unknown routes, preflights and real routes, and deeply
 * nested JSON.
 */
export async function unauthenticatedClients(world: World): Promise<Outcome> {
  const head = 'Host: bench\r\nContent-Type: application/json\r\n';
  const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n4c4b40\r\n${'['.repeat(150)}`;
  const starts = [
    `POST /nope HTTP/1.1\r\n${chunked}`,
    `OPTIONS ${transactions} HTTP/1.1\r\nOrigin: https://game.example\r\nAccess-Control-Request-Method: POST\r\n${chunked}`,
    `POST ${transactions} HTTP/1.1\r\n${chunked}`,
    `POST ${transactions} HTTP/1.1\r\n${head}Content-Length: 5000000\r\n\r\n${'['.repeat(150)}`,
    'GET /healthz HTTP/1.1\r\nHost: bench\r\n', // the headers never end
    '', // nothing at all
  ];
  const agent = startAgent(4);
  const tally = new Tally();
  const [held] = await Promise.all([
    holdSockets(world, sockets, (socket, index) => {
      const text = starts[index % starts.length] ?? '';
      if (text !== '') socket.write(text);
      socket.resume();
    }),
    (async () => {
      for (const over = isOver(world); !over(); )
        tally.add(await send(agent, `${world.url}/nope`, { body: deep }));
    })(),
    (async () => {
      for (const over = isOver(world); !over(); )
        tally.add(await send(agent, world.url + transactions, { method: 'GET' }));
    })(),
  ]);
  await agent.destroy();
  return { summary: `${held.opened} sockets, ${held.ended} ended by the service; ${tally}` };
}
