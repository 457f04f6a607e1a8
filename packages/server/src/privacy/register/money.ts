import { creator, inCreatorFile, type PersonalTable, publisherText } from './entry.ts';

/** Tables with what creators are owed and were paid. They are kept, because books must be kept. */
export const money = {
  payment: {
    none: `publisher_id attribution_id is_fraud payout_batch_id payout_payment_id paid_at created_at group_id currency
      transaction_date share_minor payable_at reversed_at subtotal_minor refunded_minor reversed_minor part_at has_holds
      reinstated_at`,
    ids: 'membership_id',
  },
  ledger_entry: {
    none: 'publisher_id subject_id kind currency amount_minor created_at',
    ids: 'membership_id',
  },
  statement: {
    none: `publisher_id currency month statement_id entries_from entries_before opening_minor earned_minor bounties_minor
      reversed_minor clawed_back_minor reinstated_minor to_payouts_minor from_payouts_minor claimed_minor closing_minor
      payouts group_id group_name publisher_name issued_at`,
    ids: 'membership_id membership_ids account_id',
    columns: {
      account_name: creator('name on a monthly statement', inCreatorFile, 'kept with the statement'),
    },
  },
  statement_progress: { none: 'publisher_id month closes_at', ids: 'done_to' },
  member_balance: { none: 'publisher_id currency balance_minor unpaid_from', ids: 'membership_id' },
  clawback: {
    none: 'publisher_id attribution_id group_id currency amount_minor created_at payout_batch_id payable_at refund_id',
    ids: 'membership_id',
  },
  reinstatement_adjustment: {
    none: `publisher_id reinstatement_id attribution_id group_id currency amount_minor created_at payout_batch_id
      payable_at`,
    ids: 'membership_id',
  },
  reward_payment: {
    none: `publisher_id progress_reward_id group_id currency amount_minor earned_at settled_at payout_batch_id paid_at
      payable_at`,
    ids: 'membership_id',
  },
  payment_hold: {
    none: 'publisher_id hold_id subject number attribution_id group_id ends_at placed_at',
    ids: 'account_id',
    actors: 'placed_by',
    columns: { reason: publisherText('reason for a hold; staff must not name people in it') },
  },
  payment_hold_release: {
    none: 'publisher_id hold_id released_at',
    actors: 'released_by',
    columns: { reason: publisherText('reason for the release of a hold') },
  },
  payee_gate: {
    none: 'publisher_id gate_id kind from_at until_at set_at',
    ids: 'account_id',
    actors: 'set_by',
    columns: { note: publisherText('note on a tax clearance or review, such as "W-8BEN"') },
  },
  payee_gate_end: {
    none: 'publisher_id gate_id ended_at',
    actors: 'ended_by',
    columns: { reason: publisherText('reason for the end of a clearance or review') },
  },
  payee_method: {
    none: 'publisher_id method_id kind entered_at approved_at usable_from ended_at',
    ids: 'account_id',
    actors: 'entered_by approved_by ended_by',
    columns: {
      sealed: creator(
        "holder's name, country, and address or bank account; encrypted",
        'no; the hint is',
        'deleted by `members erase`; otherwise 90 days after the method has ended',
      ),
      hint: creator('part of the address or account', inCreatorFile, 'replaced by a mark'),
      fingerprint: creator(
        'HMAC of the address or account, which finds the same one at other creators',
        'no, because it is only a number',
        'replaced by zeros',
      ),
      ended_reason: publisherText('reason for the end of a method'),
    },
  },
  creator_notice: {
    none: 'publisher_id notice_id kind changed_at expires_at taken_back_at status attempt_count next_attempt_at',
    ids: 'account_id method_id about_id',
    columns: {
      email: creator(
        'email address that was told of a changed payout method',
        'no; it is the sign-in’s',
        'deleted by `members erase`; otherwise 30 days after the change',
      ),
    },
  },
  payee_settings: {
    none: `publisher_id wait_days paypal_decimal_sign wise_header wise_source_currency debtor_name debtor_iban
      debtor_bic`,
  },
  payout_batch: {
    none: `publisher_id batch_id group_id currency as_of status total_minor member_count row_count created_at paid_at
      cancelled_at worked_until was_undone planned_count number needs_method needs_tax_cleared`,
    actors: 'created_by paid_by',
  },
  payout_number: { none: 'publisher_id last_number' },
  payout_item: {
    none: `publisher_id item_id batch_id row_count payments_minor adjustments_minor amount_minor reward_count
      rewards_minor reference made_at`,
    ids: 'membership_id method_id',
  },
  payout_result: {
    none: 'publisher_id item_id result batch_id recorded_at',
    actors: 'recorded_by',
    columns: { note: publisherText('note on the result of a line, such as "account closed"') },
  },
  payout_return: {
    none: `publisher_id item_id from_batch_id group_id currency amount_minor created_at payout_batch_id payable_at`,
    ids: 'membership_id',
  },
  payout_reduction: {
    none: 'publisher_id batch_id previewed_minor reasons',
    ids: 'membership_id',
  },
  pay_run: {
    none: 'publisher_id pay_run_id as_of started_at ended_at lease_id worked_until attempts',
    actors: 'started_by',
  },
  pay_run_line: {
    none: `publisher_id pay_run_id group_id currency total_minor payout_batch_id failure_code is_exact`,
    actors: 'requested_by',
    columns: {
      failure_message: creator(
        'reason for a failure, which may name creators whose amounts changed',
        'no; the lines of payouts are',
        'replaced by a mark if it names the creator',
      ),
      payout_change: creator(
        'creators who would be paid less than previewed, with their names',
        'no; the lines of payouts are',
        'deleted if it names the creator',
      ),
    },
  },
  ledger_check: { none: 'publisher_id rows_before all_at last_at' },
  ledger_check_day: {
    none: 'publisher_id group_id day moves membership_moves',
    ids: 'membership_ids',
  },
  ledger_check_payout: { none: 'publisher_id batch_id is_cancelled return_count' },
  ledger_verification: {
    none: `publisher_id verification_id looks_at_all status requested_at started_at ended_at attempts run_id
      worked_until rows_read of_rows looked broken_rule broken_place broken_rows failure`,
    actors: 'requested_by',
  },
} as const satisfies Record<string, PersonalTable>;
