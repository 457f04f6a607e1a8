import { createHmac } from 'node:crypto';

/** Request in the contract's form, built with node:crypto and without the package. */
export interface ContractRequest {
  body: string;
  headers: Record<string, string>;
}

export interface ContractEnvelope {
  eventId: string;
  createdAt: string;
  eventType: string;
  eventAction: string;
  event: object;
}

export const secret = `whsec_${Buffer.from('0123456789abcdef0123456789ABCDEF').toString('base64')}`;
export const otherSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const sentAt = Date.UTC(2026, 10, 21, 10, 0, 30);

export const envelope: ContractEnvelope = {
  eventId: '01a1fc3e-64b1-75ff-9d00-533d2bb49dde',
  createdAt: '2026-11-21 10:00:00.123000',
  eventType: 'GroupManagement',
  eventAction: 'NewMember',
  event: { memberId: 'm-1', code: 'ALICE', name: 'Alice "the <b>" \u2028 é 🎮 \\ \n' },
};

/**
 * Signs a request with both kinds of signatures. During a rotation, the service signs with the old secret first, then
 * with the new one.
 */
export function contractRequest(
  sent: ContractEnvelope = envelope,
  secrets: readonly [string, ...string[]] = [secret],
  atMs = sentAt,
): ContractRequest {
  const body = JSON.stringify(sent);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      ...contractHeader(sent, secrets[0]),
      ...standardHeaders(sent.eventId, body, secrets, atMs),
    },
  };
}

export function contractHeader(sent: ContractEnvelope, key: string): Record<string, string> {
  const [date, time = ''] = sent.createdAt.split(' ');
  const message = `${sent.eventId}${date}T${time.slice(0, -3)}Z${JSON.stringify(sent.event)}`;
  return { 'x-webhook-signature-256': `sha256=${createHmac('sha256', key).update(message).digest('hex')}` };
}

export function standardHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  atMs = sentAt,
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1_000));
  const signatures = secrets.map((each) => {
    const key = Buffer.from(each.replace('whsec_', ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
