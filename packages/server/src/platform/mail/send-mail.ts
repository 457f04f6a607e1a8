import type { Config } from '../config.ts';

export interface Mail {
  to: string;
  subject: string;
  /** Plain text, which every mail client can display and which can't hide an address behind a link's text. */
  text: string;
}

export type SendMail = (mail: Mail) => Promise<void>;

const timeoutMs = 15_000;

/**
 * Creates a function that sends email through SMTP_URL. Each message opens its own connection, since few
 * messages are sent.
 * @returns null if SMTP_URL is not set
 */
export function mailSender({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): SendMail | null {
  if (smtpUrl === null) return null;
  return async ({ to, subject, text }) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      await transport.sendMail({ from: mailFrom, to: { name: '', address: to }, subject, text });
    } finally {
      transport.close();
    }
  };
}
