import type { Config } from '../config.ts';

export interface Mail {
  to: string;
  subject: string;
  /** Plain text: what is read everywhere, and hides no address behind a word. */
  text: string;
}

export type SendMail = (mail: Mail) => Promise<void>;

const timeoutMs = 15_000;

/**
 * Hands mail to the server that SMTP_URL names, a connection each: there is little.
 * @returns null where there is none
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
