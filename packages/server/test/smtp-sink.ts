import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface SmtpSink {
  url: string;
  /** Received messages, oldest first. */
  mails: string[];
  /** Resolves with the next message, or with one that arrived since the last call. */
  next(): Promise<string>;
  /** Leaves out the messages that have arrived. */
  skip(): void;
  close(): Promise<void>;
}

/** Starts a mail server on this machine that stores its messages. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const mails: string[] = [];
  const waiting: ((mail: string) => void)[] = [];
  let read = 0;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      void text(stream).then((mail) => {
        mails.push(mail);
        const next = waiting.shift();
        if (next !== undefined) {
          read += 1;
          next(mail);
        }
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    skip() {
      read = mails.length;
    },
    next() {
      const mail = mails[read];
      if (mail === undefined) return new Promise((resolve) => waiting.push(resolve));
      read += 1;
      return Promise.resolve(mail);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
