// Serves the route handlers of a Next.js application with node:http, for examples.test.ts: node serve-routes.mjs FOLDER
import { createServer } from 'node:http';
import { join } from 'node:path';

const folder = process.argv[2] ?? '';
const routes = Object.fromEntries(
  await Promise.all(
    ['orders', 'refunds', 'webhooks'].map(async (name) => [
      `/api/${name}`,
      await import(join(folder, 'app/api', name, 'route.js')),
    ]),
  ),
);

const server = createServer(async (request, response) => {
  const handle = routes[request.url ?? '']?.[request.method ?? ''];
  if (handle === undefined) return response.writeHead(404).end();
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method, headers } = request;
  const sent = new Request(`http://localhost${request.url}`, {
    method,
    headers,
    body: Buffer.concat(chunks),
  });
  try {
    const answer = await handle(sent);
    response.writeHead(answer.status).end(await answer.text());
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
});
server.listen(Number(process.env.PORT), () => console.log(`listening on port ${server.address().port}`));
