import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Sends a POST that fetch would not send, or would stop sending after an early response.
 * @returns the start of the response
 */
export async function rawPost(port: string, header: string, body: string): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString();
    socket.destroy();
  });
  socket.on('error', () => {});
  socket.write(
    `POST /webhooks HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${header}\r\n\r\n${body}`,
  );
  await once(socket, 'close');
  return answer;
}
