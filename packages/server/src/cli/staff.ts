import { type Command, Option } from 'commander';
import { invite } from '../accounts/people/invite.ts';
import { passwordUrl } from '../accounts/people/links.ts';
import { listStaff } from '../accounts/people/list-staff.ts';
import { mailInvitation } from '../accounts/people/mail-invitation.ts';
import { passwordMail } from '../accounts/people/mails.ts';
import { createPasswordLink } from '../accounts/people/password-links.ts';
import { removeSecondFactors } from '../accounts/people/remove-second-factors.ts';
import { type Role, roles } from '../accounts/roles.ts';
import { systemClock } from '../platform/clock.ts';
import { type Mail, mailSender } from '../platform/mail/send-mail.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { asTyped } from '../platform/program-name.ts';
import { inDatabase, jsonOption, type PublisherOptions, publisherOption, type Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { printList } from './print/print-list.ts';
import { findDashboard } from './service/served-origin.ts';

interface PersonOptions extends PublisherOptions {
  email: string;
}

const emailOption = (): Option =>
  new Option('--email <address>', "the person's email address").makeOptionMandatory();

export function addStaffCommands(program: Command, tools: CommandTools): void {
  const staff = program.command('staff').description("Invite, list and remove a publisher's staff.");
  staff
    .command('invite')
    .description('Invite a person. The invitation link is emailed, or printed if mail is not set up.')
    .addOption(publisherOption())
    .addOption(emailOption())
    .addOption(new Option('--role <role>', 'role of the person').choices(roles).makeOptionMandatory())
    .addOption(jsonOption())
    .action(
      inDatabase(tools, (work, options: PersonOptions & { role: Role }) => inviteOne(work, tools, options)),
    );
  staff
    .command('list')
    .description('List the staff of a publisher.')
    .addOption(publisherOption())
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: PublisherOptions) => list(work, tools, options)));
  staff
    .command('remove')
    .description('Remove a person from the staff. Their next request is rejected.')
    .addOption(publisherOption())
    .addOption(emailOption())
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: PersonOptions) => remove(work, tools, options)));
  staff
    .command('reset-password')
    .description('Create a link for choosing a new password. It works once and expires in an hour.')
    .addOption(emailOption())
    .addOption(jsonOption())
    .action(
      inDatabase(tools, (work, options: Omit<PersonOptions, 'publisher'>) =>
        resetPassword(work, tools, options),
      ),
    );
  staff
    .command('remove-second-factors')
    .description('Remove the second factor and passkeys of a person who has lost them.')
    .addOption(emailOption())
    .addOption(jsonOption())
    .action(
      inDatabase(tools, (work, options: Omit<PersonOptions, 'publisher'>) =>
        removeFactors(work, tools, options),
      ),
    );
}

async function removeFactors(
  { db, actor }: Work,
  { printDone }: CommandTools,
  { email: address, json }: Omit<PersonOptions, 'publisher'>,
): Promise<void> {
  const email = await removeSecondFactors(db, actor, address, systemClock.now());
  printDone(
    json
      ? JSON.stringify({ email, removed: true })
      : `Removed the second factor and passkeys of ${email}, and ended all of that person's sessions.`,
  );
}

async function inviteOne(
  { db, actor }: Work,
  tools: CommandTools,
  { publisher, email: address, role, json }: PersonOptions & { role: Role },
): Promise<void> {
  const invited = await invite(
    db,
    actor,
    { publisherId: publisher, email: address, role },
    systemClock.now(),
  );
  const { invitationId, email, expiresAt } = invited;
  const { origin, doubt } = findDashboard(tools.config());
  if (doubt !== null) tools.warn(doubt);
  const url = await mailInvitation(
    db,
    { ...invited, publisherId: publisher, invitedBy: actor.name },
    {
      origin,
      publicUrl: tools.config().publicUrl,
      sendMail: (mail) => mailed(tools, mail),
      now: systemClock.now(),
    },
  );
  if (json)
    tools.printDone(
      JSON.stringify({ invitationId, email, role, expiresAt, mailed: url === null, ...(url && { url }) }),
    );
  else if (url === null) tools.printDone(`Invited ${email} as ${role}. The link has been emailed.`);
  else
    tools.printDone(
      `${url}\n\nWith this link, ${email} joins ${publisher} as ${role}. It works once, until ${expiresAt.toISOString()}.`,
    );
}

async function list({ db }: Work, tools: CommandTools, options: PublisherOptions): Promise<void> {
  const { publisher } = options;
  const people = await listStaff(db, publisher);
  printList(tools, options, {
    rows: people,
    json: people,
    columns: {
      NAME: ({ name }) => name,
      EMAIL: ({ email }) => email,
      ROLE: ({ role }) => role,
      'SECOND FACTOR': ({ hasSecondFactor }) => (hasSecondFactor ? 'yes' : 'no'),
      'LAST SEEN': ({ lastSeenAt }) => lastSeenAt?.toISOString() ?? '-',
    },
    empty: `Publisher ${publisher} has no staff. Invite a person with \`${asTyped('staff invite')}\`.`,
  });
}

async function remove(
  { db, actor, operations }: Work,
  { printDone }: CommandTools,
  { publisher, email, json }: PersonOptions,
): Promise<void> {
  const person = (await listStaff(db, publisher)).find((each) => each.email === email.trim().toLowerCase());
  if (person === undefined)
    throw new OperatorError(`Publisher ${publisher} has no staff member with the address ${email}.`);
  const { removePerson } = await operations();
  await removePerson(db, actor, { publisherId: publisher, userId: person.userId });
  printDone(
    json
      ? JSON.stringify({ userId: person.userId, removed: true })
      : `Removed ${person.email}. Their next request will be rejected.`,
  );
}

async function resetPassword(
  { db, actor }: Work,
  tools: CommandTools,
  { email: address, json }: Omit<PersonOptions, 'publisher'>,
): Promise<void> {
  const { email, token, expiresAt } = await createPasswordLink(db, actor, address, systemClock.now());
  const { origin, doubt } = findDashboard(tools.config());
  if (doubt !== null) tools.warn(doubt);
  const url = passwordUrl(origin, token);
  const isMailed = await mailed(tools, passwordMail(email, url));
  if (json)
    tools.printDone(JSON.stringify({ email, expiresAt, mailed: isMailed, ...(!isMailed && { url }) }));
  else if (isMailed) tools.printDone(`The link has been emailed to ${email}.`);
  else
    tools.printDone(
      `${url}\n\nWith this link, ${email} can choose a new password. It works once, until ${expiresAt.toISOString()}.`,
    );
}

/**
 * Sends an email if mail is set up. @returns false when the email was not sent; the caller then prints the
 * link
 */
async function mailed(tools: CommandTools, mail: Mail): Promise<boolean> {
  const send = mailSender(tools.config());
  if (send === null) return false;
  try {
    await send(mail);
    return true;
  } catch (error) {
    tools.warn(`Couldn't send the email: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}
