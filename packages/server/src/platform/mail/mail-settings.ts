import { hostList, type Setting, smtpUrl } from '../setting-parsers.ts';

export interface MailConfig {
  /** Null if email isn't sent. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** Hosts of channels in lowercase, with the port if it isn't the default. */
  readonly channelHosts: readonly string[];
}

export const mailSettings: { readonly [Key in keyof MailConfig]: Setting<MailConfig[Key]> } = {
  smtpUrl: {
    name: 'SMTP_URL',
    fallback: '',
    meaning:
      'Mail server, as `smtps://user:password@mail.example:465` or `smtp://…:587`. If it is not set, a screen or command shows the links for invitations and password resets instead, and no notifications are sent by email.',
    parse: smtpUrl,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    fallback: 'Creator attribution <no-reply@localhost>',
    meaning: 'Sender of emails.',
    parse: (text) => text,
  },
  channelHosts: {
    name: 'CHANNEL_HOSTS',
    fallback: '',
    meaning:
      'Hosts of notification channels, in addition to those of Slack and Discord: names such as `chat.example.com` or `chat.example.com:8443`, separated by commas. Use this for your own servers that accept the same messages. For private addresses, `WEBHOOK_ALLOW_PRIVATE_TARGETS` is also required.',
    parse: hostList,
  },
};
