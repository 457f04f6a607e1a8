import { buyer, creator, inCreatorFile, type PersonalTable, publisherText } from './entry.ts';

const inExport = 'in the export of purchases';
const inPurchase = 'with the purchase, in the API';
const onErasure = 'blanked by `buyers erase`, and after the days that the publisher chose';
const ofCode = creator(
  'code that the purchase was credited to, which may contain a name',
  inCreatorFile,
  'kept, or replaced with `--codes`',
);

/** Tables with purchases, their sums, and the bounties that they count toward. */
export const purchases = {
  attribution: {
    none: `publisher_id attribution_id split_index group_id status is_test origin uses_player_code subtotal_minor currency total_minor
      total_currency transaction_date platform sku_id sent_share_millionths sku_share_millionths tier_id
      tier_share_millionths group_share_millionths share_millionths share_minor share_rule schedule_id
      scheduled_tier_share_millionths scheduled_share_millionths`,
    ids: 'membership_id',
    columns: {
      transaction_id: publisherText("publisher's id of the purchase"),
      description: publisherText('description of the product'),
      player_id: buyer("buyer's id in the game", inExport, onErasure),
      player_name: buyer("buyer's name", inExport, onErasure),
      metrics: buyer('day when the buyer joined, last purchase, and total spend', inPurchase, onErasure),
      code: ofCode,
    },
  },
  attribution_change: { none: 'publisher_id attribution_id changed_at is_player_new' },
  former_buyer: {
    none: 'publisher_id attribution_id',
    columns: {
      player_id: buyer(
        'id of a buyer whom an update of the purchase replaced',
        'no; the purchase shows the present id',
        'deleted by `buyers erase`, and after the days that the publisher chose',
      ),
    },
  },
  buyer_forgetting: { none: 'publisher_id forgotten_before metrics_forgotten_before' },
  change_feed: { none: 'publisher_id read_before' },
  player_code: {
    none: 'publisher_id group_id attached_at expires_at ended_at is_end_told',
    ids: 'membership_id referral_id',
    columns: {
      player_id: buyer(
        "id of a player who entered a creator's code",
        'no; the publisher can ask for it in the API',
        'deleted by `buyers erase`; otherwise 90 days after the code ended',
      ),
    },
  },
  player_first_purchase: {
    none: 'publisher_id',
    columns: {
      player_id: buyer(
        "buyer's id, stored if the publisher has ever had a bounty for new players",
        'no; the purchases are',
        'deleted by `buyers erase`; the player then counts as new',
      ),
      transaction_id: publisherText('first purchase of this buyer'),
    },
  },
  purchase_refund: {
    none: 'publisher_id reason requested occurred_at created_at',
    columns: {
      transaction_id: publisherText("publisher's id of the purchase"),
      sent_refund_id: publisherText("publisher's id of the refund"),
    },
  },
  purchase_reinstatement: {
    none: 'publisher_id reason occurred_at created_at',
    columns: {
      transaction_id: publisherText("publisher's id of the purchase"),
      refund_key: publisherText("publisher's id of the refund"),
    },
  },
  refund_record: {
    none: 'publisher_id refund_id attribution_id action reverses_money created_at gross_minor share_minor',
    columns: { sent_refund_id: publisherText("publisher's id of the refund") },
  },
  reinstatement: {
    none: 'publisher_id reinstatement_id refund_id attribution_id gross_minor share_minor created_at',
    columns: { refund_key: publisherText("publisher's id of the refund") },
  },
  transaction_count: {
    none: 'publisher_id group_id hour all_count test_count refund_count fraud_count chargeback_count',
  },
  group_rollup: {
    none: `publisher_id group_id day currency row_count gross_minor share_minor reversed_count reversed_gross_minor
      reversed_share_minor`,
  },
  earning_rollup: {
    none: `publisher_id group_id day currency row_count gross_minor share_minor reversed_count reversed_gross_minor
      reversed_share_minor all_count test_count refund_count fraud_count chargeback_count part_count`,
    ids: 'membership_id',
    columns: { code: ofCode },
  },
  credited_code: {
    none: 'publisher_id group_id',
    ids: 'membership_id',
    columns: { code_folded: { ...ofCode, exported: 'no; the purchases are' } },
  },
  unposted: { none: 'publisher_id recording_id row_count' },
  posting: { none: 'publisher_id posting_id posted_at earliest_date recording_ids' },
  bounty: {
    none: `publisher_id bounty_id group_id image_src completion_limit starts_at ends_at ended_at last_progress_check
      created_at`,
    columns: {
      name: publisherText('name of the bounty'),
      description: publisherText('description of the bounty'),
      reward_description: publisherText('description of the rewards'),
    },
  },
  bounty_objective: {
    none: `publisher_id objective_id bounty_id position type condition target currency event_code sku_ids sku_names
      removed_at`,
    columns: { name: publisherText('name of the objective') },
  },
  bounty_reward: {
    none: 'publisher_id reward_id bounty_id position type amount_minor currency sku_id sku_name external_id removed_at',
    columns: { name: publisherText('name of the reward') },
  },
  bounty_prerequisite: { none: 'publisher_id group_id bounty_id requires_id' },
  bounty_event: {
    none: 'publisher_id group_id event_code occurred_at recorded_at record_id',
    ids: 'membership_id',
    columns: {
      event_id: publisherText("publisher's id of the custom event"),
      player_id: buyer(
        'player who caused the event',
        'no; the publisher sent it',
        'blanked by `buyers erase`; otherwise dropped after `CUSTOM_EVENT_KEEP_DAYS`',
      ),
    },
  },
  bounty_event_id: { none: 'publisher_id id_digest record_id' },
  bounty_contribution: {
    none: 'publisher_id objective_id row_ids value occurred_at',
    ids: 'membership_id',
    columns: { source_id: publisherText("publisher's id of the purchase or custom event") },
  },
  bounty_progress: {
    none: 'publisher_id bounty_id progress_id completion_count needs_check last_progress_check',
    ids: 'membership_id',
  },
  bounty_total: { none: 'publisher_id objective_id total', ids: 'membership_id' },
  bounty_completion: {
    none: 'publisher_id completion_id number objectives completed_at',
    ids: 'progress_id',
  },
  progress_reward: {
    none: 'publisher_id progress_reward_id completion_id reward_id reward_completed',
    columns: { reward_reference_id: publisherText("publisher's id of the delivery of a reward") },
  },
} as const satisfies Record<string, PersonalTable>;
