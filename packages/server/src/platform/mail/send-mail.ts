import type { MailConfig } from './mail-settings.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** HTML with the same content (`writeMail`). */
  html: string;
  /** Id in angle brackets. Defaults to a random one. */
  messageId?: string;
  headers?: Readonly<Record<string, string>>;
}

export type SendMail = (mail: Mail) => Promise<void>;

const timeoutMs = 15_000;

/**
 * Creates a function that sends email through SMTP_URL. Each message opens its own connection, since few messages are
 * sent.
 * @returns null if SMTP_URL isn't set
 */
export function mailSender({ smtpUrl, mailFrom }: Pick<MailConfig, 'smtpUrl' | 'mailFrom'>): SendMail | null {
  if (smtpUrl === null) return null;
  return async ({ to, ...content }) => {
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
      await transport.sendMail({ from: mailFrom, to: { name: '', address: to }, ...content });
    } finally {
      transport.close();
    }
  };
}
