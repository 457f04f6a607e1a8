import { type PersonalTable, publisherText, secretOf, staff } from './entry.ts';

const onLeaving = 'kept when the person leaves, so that the person can be invited again';
const kept = 'kept, because it shows who acted';
const redacted = 'what names a creator is replaced by a mark by `members erase`; the rest is kept';
const ofAccount = staff('sign-in data', 'in Account', onLeaving);
const secret = secretOf('staff', 'secret of a sign-in method', onLeaving);

/** Tables with the publisher's staff, their sign-in, and what they set up for themselves. */
export const staffTables = {
  staff: {
    none: 'publisher_id role joined_at first_steps_dismissed_at preview_seen_at rehearsal_hidden_at',
    columns: {
      user_id: staff('id of the person', 'in Account', 'deleted when the person is removed'),
      invited_by: staff('id of the inviting person', 'no, because it is another person', kept),
    },
  },
  staff_user: {
    none: 'email_verified two_factor_enabled created_at updated_at',
    columns: {
      id: staff('id of the person', 'in Account', kept),
      name: staff('name', 'in Account', onLeaving),
      email: staff('email address', 'in Account', onLeaving),
      image: staff('address of a picture; always empty', 'no', onLeaving),
    },
  },
  staff_account: {
    none: `id provider_id access_token_expires_at refresh_token_expires_at scope created_at updated_at`,
    columns: {
      account_id: staff('id at the sign-in provider', 'in Account', onLeaving),
      user_id: ofAccount,
      access_token: secret,
      refresh_token: secret,
      id_token: secret,
      password: secretOf('staff', 'hash of a password', onLeaving),
    },
  },
  staff_session: {
    none: 'id created_at updated_at expires_at last_seen_at confirmed_at has_second_factor',
    columns: {
      token: secretOf('staff', 'hash of a session cookie', 'deleted when the session has ended'),
      user_id: ofAccount,
      ip_address: staff('IP address', 'in Account', 'deleted when the session has ended'),
      user_agent: staff('browser', 'in Account', 'deleted when the session has ended'),
    },
  },
  staff_passkey: {
    none: 'id counter device_type backed_up transports aaguid created_at',
    columns: {
      user_id: ofAccount,
      name: staff("person's name for a passkey", 'in Account', 'deleted with the passkey'),
      public_key: secret,
      credential_id: secret,
    },
  },
  staff_two_factor: {
    none: 'id verified failed_verification_count locked_until last_step',
    columns: { user_id: ofAccount, secret, backup_codes: secret },
  },
  staff_verification: {
    none: 'id expires_at created_at updated_at',
    columns: {
      identifier: secretOf('staff', 'what is verified', 'deleted when it has expired'),
      value: secretOf('staff', 'challenge of a sign-in', 'deleted when it has expired'),
    },
  },
  staff_password_link: {
    none: 'created_at expires_at used_at',
    columns: {
      link_hash: secretOf('staff', 'hash of a link', onLeaving),
      user_id: ofAccount,
    },
  },
  staff_invitation: {
    none: 'invitation_id publisher_id role created_at expires_at accepted_at revoked_at mailed_at',
    columns: {
      invitation_hash: secretOf('staff', 'hash of an invitation', kept),
      email: staff('email address that was invited', 'to the publisher', kept),
      invited_by: staff('id of the inviting person', 'no, because it is another person', kept),
    },
  },
  staff_rules: { none: 'publisher_id demands_two_factor four_eyes_payouts' },
  operator_token: {
    none: 'token_id publisher_id role created_at expires_at last_used_at revoked_at',
    actors: 'created_by',
    columns: {
      token_hash: secretOf('publisher', 'hash of a token', 'kept'),
      name: publisherText('name of a token'),
    },
  },
  api_key: {
    none: 'key_id publisher_id kind group_id created_at expires_at revoked_at key_hint last_used_at is_strict',
    columns: {
      key_hash: secretOf('publisher', 'hash of a key', 'kept'),
      name: publisherText('name of a key'),
      created_by: staff('id of the person who created the key', 'to the publisher', kept),
    },
  },
  audit_entry: {
    none: 'publisher_id audit_id at request_id command action',
    actors: 'actor',
    columns: {
      address: staff(
        'IP address of the actor, who may be a creator',
        'to the publisher',
        "a creator's is blanked by `members erase`; the rest is kept",
      ),
      target: publisherText('id of the changed object'),
      before: staff(
        'earlier values, which may contain names of creators and staff',
        'to the publisher',
        redacted,
      ),
      after: staff('new values, which may contain names of creators and staff', 'to the publisher', redacted),
      reason: staff('reason for a change, which may name a creator', 'to the publisher', redacted),
    },
  },
  saved_view: {
    none: 'publisher_id view_id list',
    columns: {
      user_id: staff('owner of a private view', 'in the list', 'deleted when the person is removed'),
      name: publisherText('name of a view'),
      query: publisherText('filters, which may contain a searched text'),
    },
  },
  default_view: {
    none: 'publisher_id list view_id',
    columns: {
      user_id: staff('person who chose the view', 'in the list', 'deleted when the person is removed'),
    },
  },
  notification_choice: {
    none: 'publisher_id time_zone send_hour daily weekly immediate next_daily_at next_weekly_at',
    columns: {
      recipient: staff('person or channel', 'in Notifications', 'deleted when the person is removed'),
    },
  },
  notification: {
    none: `publisher_id notification_id kind period_from period_until began ended status created_at next_attempt_at
      attempt_count ended_at error`,
    columns: { recipient: staff('person or channel', 'no', 'deleted some weeks after it was sent') },
  },
  notification_channel: {
    none: `publisher_id channel_id kind is_enabled disabled_reason failure_count last_sent_at created_at`,
    columns: {
      name: publisherText('name of a channel'),
      url: secretOf('publisher', 'address of a channel; encrypted', 'deleted with the channel'),
      url_hint: publisherText('end of that address'),
    },
  },
  notification_incident: {
    none: 'publisher_id incident_id subject target began_at ended_at',
    columns: { name: publisherText('name of what is failing') },
  },
} as const satisfies Record<string, PersonalTable>;
