import { creator, inCreatorFile, type PersonalTable, publisherText, secretOf } from './entry.ts';

const code = creator(
  'code, which is often a name',
  inCreatorFile,
  'kept, so that no other creator can earn with it; replaced with `--codes`',
);
const blank = 'blanked by `members erase`';
const deletion = 'deleted by `members erase`';
const session = 'deleted by `members erase`; otherwise when the session ends';

/** Tables with creators, their memberships and their sign-in to the portal. */
export const creators = {
  creator_account: {
    none: 'owner_publisher_id created_at closed_at',
    ids: 'account_id claimed_by',
    columns: {
      name: creator('name', inCreatorFile, 'replaced by "Former creator"'),
      logo_image: creator('address of a picture', inCreatorFile, blank),
      profile_image: creator('address of a picture', inCreatorFile, blank),
    },
  },
  creator_identity: {
    none: 'provider',
    ids: 'account_id',
    columns: { provider_account_id: creator('login at a provider, such as Twitch', inCreatorFile, deletion) },
  },
  global_code: {
    none: 'is_primary is_generated is_managed is_approved created_at',
    ids: 'account_id',
    columns: { code, code_folded: code },
  },
  group_code: {
    none: 'publisher_id group_id is_primary is_generated is_managed is_approved created_at',
    ids: 'membership_id',
    columns: { code, code_folded: code },
  },
  membership: {
    none: `publisher_id group_id status is_visible tier_id created_at removed_at merged_at pointed_on_at`,
    ids: 'membership_id account_id merged_into',
    columns: {
      player_id: creator("creator's id in the game", inCreatorFile, blank),
      player_metadata: creator("publisher's data about the player", inCreatorFile, blank),
      removal_reason: creator('reason for a removal', inCreatorFile, 'replaced by "Erased"'),
    },
  },
  creator_application: {
    none: `publisher_id group_id terms_version applied_at expires_at decided_at decision mail_status mail_attempts
      mail_next_at`,
    ids: 'application_id membership_id',
    columns: {
      code: creator('code that an applicant wants, which is often a name', inCreatorFile, blank),
      reason: creator('reason for a refusal', inCreatorFile, blank),
    },
  },
  terms_acceptance: {
    none: 'publisher_id group_id version sha256 accepted_at',
    ids: 'account_id',
  },
  former_player: {
    none: 'publisher_id group_id',
    ids: 'membership_id',
    columns: { player_id: creator('earlier id in the game', inCreatorFile, deletion) },
  },
  creator_note: {
    none: 'publisher_id note_id created_at edited_at removed_at',
    ids: 'account_id',
    actors: 'author',
    columns: { body: creator("staff's note about a creator", 'by the publisher, on request', deletion) },
  },
  creator_tag: {
    none: 'publisher_id tag_id removed_at',
    columns: {
      name: publisherText('tag for a set of creators'),
      name_folded: publisherText('tag for a set of creators'),
    },
  },
  creator_tagged: { none: 'publisher_id tag_id', ids: 'account_id' },
  auth_code: {
    none: 'issued_at expires_at',
    ids: 'account_id',
    columns: { code_hash: secretOf('creator', 'HMAC of an auth code', deletion) },
  },
  portal_user: {
    none: 'created_at',
    ids: 'user_id',
    columns: {
      email: creator('email address', inCreatorFile, deletion),
      off_subjects: creator('subjects of emails that the person turned off', inCreatorFile, deletion),
    },
  },
  portal_email: {
    none: 'added_at',
    ids: 'user_id',
    columns: { email: creator('further email address', inCreatorFile, deletion) },
  },
  portal_session: {
    none: 'created_at expires_at last_seen_at',
    ids: 'session_id user_id started_with',
    columns: {
      token_hash: secretOf('creator', 'hash of a session cookie', session),
      address: creator('IP address', inCreatorFile, session),
      user_agent: creator('browser', inCreatorFile, session),
    },
  },
  portal_provider_account: {
    none: 'provider added_at last_used_at',
    ids: 'sign_in_method_id user_id',
    columns: {
      issuer: creator('provider that the creator signs in with', inCreatorFile, deletion),
      subject: creator("provider's id for the creator", inCreatorFile, deletion),
      name: creator('name at a provider', inCreatorFile, deletion),
    },
  },
  portal_passkey: {
    none: 'sign_count added_at last_used_at',
    ids: 'sign_in_method_id user_id',
    columns: {
      credential_id: creator('id of a passkey', inCreatorFile, deletion),
      public_key: creator('public key of a passkey', 'no; it is of no use to the creator', deletion),
      name: creator('name of a passkey', inCreatorFile, deletion),
    },
  },
  portal_attempt: {
    none: 'method created_at expires_at',
    ids: 'session_id',
    columns: {
      secret_hash: secretOf('creator', 'hash of a sign-in that was begun', 'deleted when it has expired'),
      browser_hash: secretOf('creator', 'hash of a cookie', 'deleted when it has expired'),
    },
  },
  portal_confirmation: {
    none: 'tries created_at expires_at used_at',
    ids: 'session_id',
    columns: {
      code_hash: secretOf('creator', 'hash of a code that confirms a change', session),
      change_hash: secretOf('creator', 'HMAC of the change that a code confirms', session),
    },
  },
  portal_code: {
    none: 'tries created_at expires_at used_at',
    columns: {
      link_hash: secretOf('creator', 'hash of a sign-in link', 'deleted when it has expired'),
      code_hash: secretOf('creator', 'hash of a sign-in code', 'deleted when it has expired'),
      browser_hash: secretOf('creator', 'hash of a cookie', 'deleted when it has expired'),
      email: creator(
        'email address that a code was sent to',
        'no; it is the session’s',
        'deleted when it has expired',
      ),
    },
  },
  erasure_request: { none: 'requested_at due_at started_at', ids: 'user_id' },
  portal_user_account: { none: 'proof proven_at', ids: 'account_id user_id' },
  stream_alert: {
    none: 'publisher_id created_at placement show_seconds tested_at seen_at',
    ids: 'user_id',
    columns: {
      secret_hash: secretOf('creator', "hash of the secret in a stream alert's address", deletion),
      text: creator('text of a stream alert', inCreatorFile, deletion),
    },
  },
  portal_invitation: {
    none: 'publisher_id created_at expires_at accepted_at',
    ids: 'account_id',
    columns: {
      invitation_hash: secretOf('creator', 'hash of an invitation', 'deleted when it has expired'),
      email: creator('email address that was invited', inCreatorFile, deletion),
      invited_by: {
        whose: 'staff',
        content: 'id of the inviting person',
        exported: 'as "staff of NAME"',
        erased: 'deleted when the invitation has expired',
      },
    },
  },
} as const satisfies Record<string, PersonalTable>;
