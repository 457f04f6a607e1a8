import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { emailAddress } from '../accounts/people/email-address.ts';
import type { App } from '../platform/http/app-type.ts';
import { time } from '../platform/http/schemas/fields.ts';
import { text } from '../platform/http/schemas/schemas.ts';
import { closed } from '../platform/inputs.ts';
import type { Mail } from '../platform/mail/send-mail.ts';
import { confirmationMinutes } from '../portal/confirmations.ts';
import type { Portal } from '../portal/create-portal.ts';
import { addEmail, type EmailOwner, requestEmail } from '../portal/emails/add-email.ts';
import {
  addEmailMail,
  changedEmailsMail,
  provingMail,
  removeEmailMail,
} from '../portal/emails/email-mails.ts';
import { maxFurtherEmails, readFurtherEmails } from '../portal/emails/own-emails.ts';
import { removeEmail, requestEmailRemoval } from '../portal/emails/remove-email.ts';
import { sessionOf } from '../portal/require-portal.ts';
import { portalOperations } from './portal-operations.ts';

const emails = Type.Object(
  {
    email: Type.String({ description: 'First address, which codes that confirm changes are sent to.' }),
    further: Type.Array(
      Type.Object(
        { email: Type.String(), addedAt: time('When the address was added.') },
        { title: 'FurtherEmail' },
      ),
      { description: 'Further addresses, which the person can also sign in with.' },
    ),
    maxFurther: Type.Integer({ description: 'Maximum number of further addresses.' }),
  },
  { title: 'Emails' },
);

const typedEmail = text(255, 'Email address.');
const typedCode = text(64, 'Code from the email to the first address.');
const requested = Type.Object({}, { title: 'RequestedEmailCodes' });
const onlyEmail = (title: string) => Type.Object({ email: typedEmail }, { ...closed, title });

/** Registers the operations on the signed-in person's addresses. Each change needs an emailed code of its own. */
export function emailRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Sign-in');
  const { db, limits } = portal;
  const show = async (request: FastifyRequest) => {
    const { userId, email } = sessionOf(request);
    return { email, further: await readFurtherEmails(db, userId), maxFurther: maxFurtherEmails };
  };

  operation(
    ['get', '/emails', 'listEmails'],
    {
      of: 'signed-in',
      summary: 'List the addresses of the signed-in person',
      description: 'The person can sign in with each of them.',
      answer: emails,
    },
    show,
  );

  operation(
    ['post', '/emails/codes', 'requestEmailCodes'],
    {
      of: 'signed-in',
      summary: 'Request the two emailed codes that add an address',
      description: `One is sent to the first address, and one to the new address. They expire after ${confirmationMinutes} minutes, and work once, in this session.`,
      body: onlyEmail('NewEmail'),
      answer: requested,
    },
    async (request) => {
      const email = emailAddress(request.body.email);
      const owner = await ownerOf(portal, request);
      limits.countConfirmation(owner.userId);
      limits.countMail({ address: request.ip, email, isKnown: false });
      const { code, newCode } = await requestEmail(db, owner, email);
      send(portal, [
        addEmailMail({ to: owner.ownEmail, email, code }),
        provingMail({ to: email, code: newCode }),
      ]);
      portal.deleteExpired();
      return {};
    },
  );

  operation(
    ['post', '/emails', 'addEmail'],
    {
      of: 'signed-in',
      summary: 'Add an address with both emailed codes',
      description: 'From then on, the person can sign in with it. The other addresses are told.',
      body: Type.Object(
        { email: typedEmail, code: typedCode, newCode: text(64, 'Code from the email to the new address.') },
        { ...closed, title: 'ConfirmedEmail' },
      ),
      answer: emails,
    },
    async (request) => {
      limits.countAttempt(request.ip);
      const typed = { ...request.body, email: emailAddress(request.body.email) };
      await addEmail(db, await ownerOf(portal, request), typed);
      await tell(portal, request, typed.email, 'added');
      return show(request);
    },
  );

  operation(
    ['post', '/emails/remove/codes', 'requestEmailRemovalCode'],
    {
      of: 'signed-in',
      summary: 'Request the emailed code that removes an address',
      description: 'It is sent to the first address, which can’t be removed.',
      body: onlyEmail('EmailToRemove'),
      answer: requested,
    },
    async (request) => {
      const email = emailAddress(request.body.email);
      const owner = await ownerOf(portal, request);
      limits.countConfirmation(owner.userId);
      const code = await requestEmailRemoval(db, owner, email);
      send(portal, [removeEmailMail({ to: owner.ownEmail, email, code })]);
      return {};
    },
  );

  operation(
    ['post', '/emails/remove', 'removeEmail'],
    {
      of: 'signed-in',
      summary: 'Remove an address with an emailed code',
      description: 'The other addresses are told.',
      body: Type.Object(
        { email: typedEmail, code: typedCode },
        { ...closed, title: 'ConfirmedEmailRemoval' },
      ),
      answer: emails,
    },
    async (request) => {
      limits.countAttempt(request.ip);
      const typed = { ...request.body, email: emailAddress(request.body.email) };
      await removeEmail(db, await ownerOf(portal, request), typed);
      await tell(portal, request, typed.email, 'removed');
      return show(request);
    },
  );
}

async function ownerOf(portal: Portal, request: FastifyRequest): Promise<EmailOwner> {
  const { userId, sessionId, email: ownEmail } = sessionOf(request);
  return { userId, sessionId, ownEmail, secret: await portal.readSecret(), now: portal.clock.now() };
}

/** Tells all addresses except the changed one. */
async function tell(
  portal: Portal,
  request: FastifyRequest,
  email: string,
  change: 'added' | 'removed',
): Promise<void> {
  const { userId, email: ownEmail } = sessionOf(request);
  const further = await readFurtherEmails(portal.db, userId);
  const others = [ownEmail, ...further.map((each) => each.email)].filter((each) => each !== email);
  const portalUrl = portal.url ?? '';
  send(
    portal,
    others.map((to) => changedEmailsMail(to, { email, change, portalUrl })),
  );
}

/** Sends emails without waiting, because the mail server may take seconds. */
function send(portal: Portal, mails: readonly Mail[]): void {
  for (const mail of mails)
    void portal
      .sendMail(mail)
      .catch((error: unknown) => portal.log.error({ err: error }, "couldn't send an email about an address"));
}
