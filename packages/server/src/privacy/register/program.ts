import { buyer, creator, type PersonalTable, publisherText, secretOf, staff } from './entry.ts';

/** Tables with publishers, their programs, their webhooks, and the service's own data. */
export const program = {
  publisher: {
    none: `publisher_id programme_version created_at forget_buyers_after_days sandbox_of sandbox_id accent code_link
      payouts_need_method payouts_need_tax_cleared`,
    columns: { name: publisherText('name of the publisher') },
  },
  publisher_logo: { none: 'publisher_id hash media_type width height image' },
  clock_move: { none: 'publisher_id ahead_ms sandbox_of moved_at' },
  demo_load: { none: 'publisher_id sandbox_id step started_at renewed_at ended_at' },
  creator_group: {
    none: `publisher_id group_id is_default share_millionths code_ttl_days hold_days payout_minimums
      disabled_currencies created_at terms_changed_at payout_calendar payout_calendar_set_at`,
    columns: { name: publisherText('name of the group') },
  },
  group_terms: {
    none: 'publisher_id group_id version sha256 created_at',
    columns: { body: publisherText('terms that applicants accept') },
  },
  group_applications: { none: 'publisher_id group_id is_open max_pending reserved_codes terms_version' },
  tier: {
    none: 'publisher_id tier_id group_id share_millionths created_at',
    columns: { name: publisherText('name of the tier') },
  },
  sku_share: { none: 'publisher_id group_id sku_id share_millionths' },
  scheduled_share: {
    none: `publisher_id schedule_id group_id starts_at ends_at share_millionths created_at deleted_at is_start_told
      is_end_told`,
  },
  scheduled_tier_share: { none: 'publisher_id schedule_id tier_id position share_millionths' },
  request_count: { none: 'publisher_id hour key_id method route status code times last_at' },
  refused_request: {
    none: 'publisher_id refused_id at key_id method route status code request_id group_id',
    columns: {
      message: buyer(
        'message of an error, which may quote a value of the request',
        'to the publisher',
        'deleted after 7 days',
      ),
      address: staff(
        "IP address of the client, mostly the publisher's own server",
        'to the publisher',
        'deleted after 7 days',
      ),
      sent_code: creator('code in a rejected request', 'to the publisher', 'deleted after 7 days'),
    },
  },
  ignored_input: { none: 'publisher_id key_id operation name times last_at' },
  connector: {
    none: `connector_id publisher_id provider group_id settings rotation_started_at created_at paused_at removed_at refused_at
      refused_for answered_at next_poll_at polled_at reported_until poll_from poll_failing_since poll_failures poll_problem
      refused_since refusals`,
    columns: {
      name: publisherText('name of a connector'),
      secret: secretOf(
        'publisher',
        'signing secret of a provider, or key of its report; encrypted',
        'deleted with the connector',
      ),
      previous_secret: secretOf(
        'publisher',
        'signing secret of a provider, while it changes; encrypted',
        'deleted with the connector',
      ),
    },
  },
  connector_event: {
    none: `publisher_id connector_event_id connector_id event_key type kind is_test is_sample order_id subject_id transaction_id headers
      status reason result attempt_count repeats received_at next_attempt_at finished_at`,
    columns: {
      player_id: buyer(
        "buyer's id in the game",
        'with the purchase, in the API',
        'blanked by `buyers erase`',
      ),
      missing_code: publisherText('code of an order that credited no creator'),
      reading: buyer(
        "values that were read: the buyer's id, codes, items and amounts",
        'to the publisher',
        'buyer blanked by `buyers erase`',
      ),
      body: buyer(
        "what a payment provider sent, which may contain the buyer's email and address; encrypted",
        'to the publisher',
        'deleted by `buyers erase`, once it was recorded, and after 30 days',
      ),
    },
  },
  connector_order: {
    none: 'publisher_id connector_id order_id named_at used_at ends_at',
    columns: {
      code: publisherText('creator code of an order'),
      player_id: buyer(
        "buyer's id in the game, with an order at a payment provider",
        'with the purchase, in the API',
        'deleted by `buyers erase`, 30 days after the purchase, or 90 days after the order was named',
      ),
    },
  },
  webhook_endpoint: {
    none: `publisher_id endpoint_id event_kinds rotation_started_at is_enabled listener_seen_at disabled_reason
      failing_since created_at`,
    columns: {
      url: publisherText('address of the receiver'),
      secret: secretOf('publisher', 'signing secret; encrypted', 'deleted with the endpoint'),
      next_secret: secretOf('publisher', 'signing secret; encrypted', 'deleted with the endpoint'),
    },
  },
  webhook_event: {
    none: 'publisher_id event_id kind created_at',
    columns: {
      event: buyer(
        "event as sent: a buyer's id and name; a creator's id, code, name, picture and player id",
        'to the receiver',
        'person removed by `buyers erase` or `members erase`; otherwise dropped after `WEBHOOK_KEEP_DAYS`',
      ),
    },
  },
  webhook_attempt: {
    none: 'publisher_id endpoint_id event_id attempt_number started_at duration_ms status_code error',
    columns: {
      answer: buyer(
        "start of the receiver's response, which may repeat the event",
        'to the publisher',
        'deleted with the person in the event; otherwise dropped after `WEBHOOK_KEEP_DAYS`',
      ),
    },
  },
  webhook_delivery: {
    none: 'publisher_id endpoint_id event_id attempt_count try_count next_attempt_at worker_id created_at',
  },
  webhook_delivery_end: {
    none: 'publisher_id endpoint_id event_id status attempt_count try_count created_at finished_at',
  },
  webhook_worker: { none: 'worker_id alive_until' },
  service_secret: {
    none: 'name',
    columns: { value: secretOf('publisher', "service's own secret; encrypted", 'kept') },
  },
  schema_migration: { none: 'name sha256 applied_at oldest_program' },
} as const satisfies Record<string, PersonalTable>;
