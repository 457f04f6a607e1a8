import { serviceActor } from '../../audit/actor.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/database/database.ts';
import { unavailability } from '../../platform/database/database-errors.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { Mail, SendMail } from '../../platform/mail/send-mail.ts';
import { Refusal } from '../../platform/refusal.ts';
import { loopbackNames, portalPath } from '../../platform/setting-parsers.ts';
import { inviteCreator } from '../../portal/invite-creator.ts';
import { readPortalOfMember } from '../../portal/portal-of-member.ts';
import type { Role } from './roles.ts';

/** Creator with the most purchases. */
const creator = { publisherId: 'aurora', accountId: 'acc_ember' as AccountId, email: 'ember@example.com' };

/** Creators' portal of the demo, whose emails are printed. */
export interface DemoPortal {
  /** Settings with the portal turned on. */
  config: Config;
  url: string;
  sendMail: SendMail;
}

interface Demonstrated {
  config: Config;
  role: Role;
  /** True if the embedded database contains the demo. */
  isDemo: boolean;
  print(line: string): void;
}

/**
 * Returns the demo's portal; null unless the service runs the demo for this computer only. Printed emails contain codes that
 * sign in, so with a database of one's own, an address for other computers, a mail server or a portal in the settings, nothing
 * is printed.
 */
export function demoPortal({ config, role, isDemo, print }: Demonstrated): DemoPortal | null {
  const isOwn = config.publicUrl === null && config.portalUrl === null && config.smtpUrl === null;
  const isLocal = [...loopbackNames, '::1'].includes(config.host);
  if (!isDemo || config.databaseUrl !== null || !isOwn || !isLocal) return null;
  // The links need a port that is known before the service listens.
  if (role !== 'all' || config.port === 0) return null;
  const url = `http://localhost:${config.port}${portalPath}`;
  return {
    config: Object.freeze({ ...config, portalUrl: url }),
    url,
    sendMail: async (mail) => print(shown(mail)),
  };
}

const shown = ({ to, subject, text }: Mail): string =>
  `\nEmail to ${to}: ${subject}\n${text.replaceAll(/^(?=.)/gm, '  ')}\n`;

/** Returns the startup line about the portal: an invitation until it is accepted, and then the sign-in page. */
export async function portalLine(db: Db, url: string): Promise<string> {
  const enter = `Creators' portal: ${url}/enter`;
  try {
    const { connected } = await readPortalOfMember(db, creator, systemClock.now());
    if (connected !== null) return `${enter}  (sign in as ${creator.email}; the email is printed here)`;
    const { token } = await inviteCreator(db, serviceActor, creator, systemClock.now());
    return `Creators' portal: ${url}/invitation#${token}  (as the creator Ember; emails to creators are printed here)`;
  } catch (error) {
    // Ember may have been removed from the demo, and a full disk must not prevent the service from starting.
    if (!(error instanceof Refusal) && unavailability(error) === null) throw error;
    return `${enter}  (emails to creators are printed here)`;
  }
}
