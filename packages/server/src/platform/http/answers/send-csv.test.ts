import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { sendCsv } from './send-csv.ts';

test('cuts the connection when writing the file fails', async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  app.get('/whole', (_request, reply) =>
    sendCsv(reply, 'a "b".csv', async (output) => void output.write('one\r\n')),
  );
  app.get('/broken', (_request, reply) =>
    sendCsv(reply, 'broken.csv', async (output) => {
      output.write('one\r\n');
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Error('the database is down');
    }),
  );
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const whole = await fetch(`${url}/whole`);
  expect(await whole.text()).toBe('one\r\n');
  expect(whole.headers.get('content-disposition')).toBe('attachment; filename="a-b-.csv"');
  await expect(fetch(`${url}/broken`).then((answer) => answer.text())).rejects.toThrow('terminated');
});
