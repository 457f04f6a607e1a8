// Generated from the migrations by `npm run generate`. Do not edit.
import type { Generated } from 'kysely';

type Json = unknown;

declare const brand: unique symbol;
export type AccountId = string & { readonly [brand]: 'AccountId' };
export type AttributionId = string & { readonly [brand]: 'AttributionId' };
export type BountyId = string & { readonly [brand]: 'BountyId' };
export type CompletionId = string & { readonly [brand]: 'CompletionId' };
export type EndpointId = string & { readonly [brand]: 'EndpointId' };
export type EventId = string & { readonly [brand]: 'EventId' };
export type GateId = string & { readonly [brand]: 'GateId' };
export type HoldId = string & { readonly [brand]: 'HoldId' };
export type KeyId = string & { readonly [brand]: 'KeyId' };
export type MembershipId = string & { readonly [brand]: 'MembershipId' };
export type NoteId = string & { readonly [brand]: 'NoteId' };
export type ObjectiveId = string & { readonly [brand]: 'ObjectiveId' };
export type PayRunId = string & { readonly [brand]: 'PayRunId' };
export type PayeeMethodId = string & { readonly [brand]: 'PayeeMethodId' };
export type PayoutBatchId = string & { readonly [brand]: 'PayoutBatchId' };
export type PayoutItemId = string & { readonly [brand]: 'PayoutItemId' };
export type PostingId = string & { readonly [brand]: 'PostingId' };
export type ProgressId = string & { readonly [brand]: 'ProgressId' };
export type ProgressRewardId = string & { readonly [brand]: 'ProgressRewardId' };
export type RecordingId = string & { readonly [brand]: 'RecordingId' };
export type RefundId = string & { readonly [brand]: 'RefundId' };
export type ReinstatementId = string & { readonly [brand]: 'ReinstatementId' };
export type RewardId = string & { readonly [brand]: 'RewardId' };
export type ScheduleId = string & { readonly [brand]: 'ScheduleId' };
export type StatementId = string & { readonly [brand]: 'StatementId' };
export type TagId = string & { readonly [brand]: 'TagId' };
export type TierId = string & { readonly [brand]: 'TierId' };
export type VerificationId = string & { readonly [brand]: 'VerificationId' };
export type ViewId = string & { readonly [brand]: 'ViewId' };
export type WorkerId = string & { readonly [brand]: 'WorkerId' };

export interface ApiKey {
  key_hash: Buffer;
  key_id: KeyId;
  publisher_id: string;
  name: string;
  kind: string;
  group_id: string | null;
  created_at: Generated<Date>;
  expires_at: Date | null;
  revoked_at: Date | null;
  key_hint: string | null;
  last_used_at: Date | null;
  created_by: string | null;
  is_strict: Generated<boolean>;
}

export interface Attribution {
  publisher_id: string;
  attribution_id: AttributionId;
  transaction_id: string;
  split_index: number;
  group_id: string;
  membership_id: MembershipId;
  code: string;
  description: string;
  status: string;
  is_test: boolean;
  origin: string;
  subtotal_minor: bigint;
  currency: string;
  total_minor: bigint | null;
  total_currency: string | null;
  transaction_date: Date;
  platform: string | null;
  player_id: string | null;
  player_name: string | null;
  sku_id: string | null;
  metrics: Json | null;
  sent_share_millionths: number | null;
  sku_share_millionths: number | null;
  tier_id: TierId | null;
  tier_share_millionths: number | null;
  group_share_millionths: number;
  share_millionths: number;
  share_minor: bigint;
  share_rule: string;
  schedule_id: ScheduleId | null;
  scheduled_tier_share_millionths: number | null;
  scheduled_share_millionths: number | null;
  uses_player_code: Generated<boolean>;
}

export interface AttributionChange {
  publisher_id: string;
  attribution_id: AttributionId;
  changed_at: Date;
  is_player_new: boolean;
}

export interface AuditEntry {
  publisher_id: string;
  audit_id: string;
  at: Generated<Date>;
  actor_kind: string;
  actor_id: string;
  actor_name: string;
  address: string | null;
  request_id: string | null;
  command: string | null;
  action: string;
  target: string;
  before: Json | null;
  after: Json | null;
  reason: string | null;
}

export interface AuthCode {
  account_id: AccountId;
  code_hash: Buffer;
  issued_at: Date;
  expires_at: Date;
}

export interface Bounty {
  publisher_id: string;
  bounty_id: BountyId;
  group_id: string;
  name: string;
  description: string | null;
  image_src: string | null;
  reward_description: string | null;
  completion_limit: Generated<number | null>;
  starts_at: Date;
  ends_at: Date | null;
  ended_at: Date | null;
  last_progress_check: Date | null;
  created_at: Generated<Date>;
}

export interface BountyCompletion {
  publisher_id: string;
  completion_id: CompletionId;
  progress_id: ProgressId;
  number: number;
  objectives: Json;
  completed_at: Date;
}

export interface BountyContribution {
  publisher_id: string;
  objective_id: ObjectiveId;
  membership_id: MembershipId;
  source_id: string;
  row_ids: AttributionId[];
  value: string;
  occurred_at: Date | null;
}

export interface BountyEvent {
  publisher_id: string;
  event_id: string;
  group_id: string;
  membership_id: MembershipId;
  event_code: string;
  player_id: string;
  occurred_at: Date;
  recorded_at: Date;
  record_id: string;
}

export interface BountyEventId {
  publisher_id: string;
  id_digest: string;
  record_id: string;
}

export interface BountyObjective {
  publisher_id: string;
  objective_id: ObjectiveId;
  bounty_id: BountyId;
  position: number;
  name: string;
  type: string;
  condition: string;
  target: bigint;
  currency: string | null;
  event_code: string | null;
  sku_ids: Generated<string[]>;
  sku_names: Generated<string[]>;
  removed_at: Date | null;
}

export interface BountyPrerequisite {
  publisher_id: string;
  group_id: string;
  bounty_id: BountyId;
  requires_id: BountyId;
}

export interface BountyProgress {
  publisher_id: string;
  bounty_id: BountyId;
  membership_id: MembershipId;
  progress_id: Generated<ProgressId>;
  completion_count: Generated<number>;
  needs_check: boolean;
  last_progress_check: Date | null;
}

export interface BountyReward {
  publisher_id: string;
  reward_id: RewardId;
  bounty_id: BountyId;
  position: number;
  name: string;
  type: string;
  amount_minor: bigint | null;
  currency: string | null;
  sku_id: string | null;
  sku_name: string | null;
  external_id: string | null;
  removed_at: Date | null;
}

export interface BountyTotal {
  publisher_id: string;
  objective_id: ObjectiveId;
  membership_id: MembershipId;
  total: string;
}

export interface BuyerForgetting {
  publisher_id: string;
  forgotten_before: string;
  metrics_forgotten_before: string | null;
}

export interface ChangeFeed {
  publisher_id: string;
  read_before: Date;
}

export interface Clawback {
  publisher_id: string;
  attribution_id: AttributionId;
  group_id: string;
  membership_id: MembershipId;
  currency: string;
  amount_minor: bigint;
  created_at: Date;
  payout_batch_id: PayoutBatchId | null;
  payable_at: Date | null;
  refund_id: RefundId;
}

export interface ClockMove {
  publisher_id: string;
  ahead_ms: bigint;
  sandbox_of: string;
  moved_at: Date;
}

export interface Connector {
  connector_id: string;
  publisher_id: string;
  name: string;
  provider: string;
  group_id: string | null;
  settings: string;
  secret: string | null;
  previous_secret: string | null;
  rotation_started_at: Date | null;
  created_at: Date;
  paused_at: Date | null;
  removed_at: Date | null;
  refused_at: Date | null;
  refused_for: string | null;
  answered_at: Date | null;
  next_poll_at: Date | null;
  polled_at: Date | null;
  reported_until: Date | null;
  poll_from: Date | null;
  poll_failing_since: Date | null;
  poll_failures: Generated<number>;
  poll_problem: string | null;
  refused_since: Date | null;
  refusals: Generated<number>;
}

export interface ConnectorEvent {
  publisher_id: string;
  connector_event_id: string;
  connector_id: string;
  event_key: string;
  type: string;
  kind: string;
  is_test: boolean;
  order_id: string | null;
  subject_id: string | null;
  transaction_id: string | null;
  player_id: string | null;
  missing_code: string | null;
  reading: string | null;
  headers: string | null;
  body: string | null;
  status: string;
  reason: string;
  result: string | null;
  attempt_count: Generated<number>;
  repeats: Generated<number>;
  received_at: Date;
  next_attempt_at: Date;
  finished_at: Date | null;
  is_sample: Generated<boolean>;
}

export interface ConnectorOrder {
  publisher_id: string;
  connector_id: string;
  order_id: string;
  code: string | null;
  player_id: string | null;
  named_at: Date;
  used_at: Date | null;
  ends_at: Date;
}

export interface CreatorAccount {
  account_id: AccountId;
  name: string;
  logo_image: string | null;
  profile_image: string | null;
  owner_publisher_id: string | null;
  created_at: Generated<Date>;
  closed_at: Date | null;
  claimed_by: AccountId | null;
}

export interface CreatorApplication {
  publisher_id: string;
  application_id: string;
  group_id: string;
  membership_id: MembershipId;
  code: string | null;
  terms_version: number;
  applied_at: Date;
  expires_at: Date;
  decided_at: Date | null;
  decision: string | null;
  reason: string | null;
  mail_status: string | null;
  mail_attempts: Generated<number>;
  mail_next_at: Date | null;
}

export interface CreatorGroup {
  publisher_id: string;
  group_id: string;
  name: string;
  is_default: Generated<boolean>;
  share_millionths: number;
  code_ttl_days: Generated<number>;
  hold_days: Generated<number>;
  payout_minimums: Generated<Json>;
  disabled_currencies: Generated<string[]>;
  created_at: Generated<Date>;
  terms_changed_at: Date | null;
  payout_calendar: Json | null;
  payout_calendar_set_at: Date | null;
}

export interface CreatorIdentity {
  provider: string;
  provider_account_id: string;
  account_id: AccountId;
}

export interface CreatorNote {
  publisher_id: string;
  note_id: NoteId;
  account_id: AccountId;
  body: string;
  author_kind: string;
  author_id: string;
  author_name: string;
  created_at: Date;
  edited_at: Date | null;
  removed_at: Date | null;
}

export interface CreatorNotice {
  publisher_id: string;
  notice_id: string;
  account_id: AccountId;
  kind: string;
  method_id: PayeeMethodId | null;
  email: string | null;
  about_id: string | null;
  changed_at: Date;
  expires_at: Date;
  taken_back_at: Date | null;
  status: Generated<string>;
  attempt_count: Generated<number>;
  next_attempt_at: Date;
}

export interface CreatorTag {
  publisher_id: string;
  tag_id: TagId;
  name: string;
  name_folded: string;
  removed_at: Date | null;
}

export interface CreatorTagged {
  publisher_id: string;
  tag_id: TagId;
  account_id: AccountId;
}

export interface CreditedCode {
  publisher_id: string;
  group_id: string;
  code_folded: string;
  membership_id: MembershipId;
}

export interface DefaultView {
  publisher_id: string;
  user_id: string;
  list: string;
  view_id: ViewId;
}

export interface DemoLoad {
  publisher_id: string;
  sandbox_id: string | null;
  step: number;
  started_at: Date;
  renewed_at: Date;
  ended_at: Date | null;
}

export interface EarningRollup {
  publisher_id: string;
  group_id: string;
  day: Date;
  membership_id: MembershipId;
  code: string;
  currency: string;
  row_count: bigint;
  gross_minor: string;
  share_minor: string;
  reversed_count: bigint;
  reversed_gross_minor: string;
  reversed_share_minor: string;
  all_count: Generated<bigint>;
  test_count: Generated<bigint>;
  refund_count: Generated<bigint>;
  fraud_count: Generated<bigint>;
  chargeback_count: Generated<bigint>;
  part_count: Generated<bigint>;
}

export interface ErasureRequest {
  user_id: string;
  requested_at: Date;
  due_at: Date;
  started_at: Date | null;
}

export interface FormerBuyer {
  publisher_id: string;
  attribution_id: AttributionId;
  player_id: string;
}

export interface FormerPlayer {
  publisher_id: string;
  group_id: string;
  player_id: string;
  membership_id: MembershipId;
}

export interface GlobalCode {
  code_folded: string;
  code: string;
  account_id: AccountId;
  is_primary: Generated<boolean>;
  is_generated: Generated<boolean>;
  is_managed: Generated<boolean>;
  is_approved: Generated<boolean>;
  created_at: Generated<Date>;
}

export interface GroupApplications {
  publisher_id: string;
  group_id: string;
  is_open: Generated<boolean>;
  max_pending: Generated<number>;
  reserved_codes: Generated<string[]>;
  terms_version: number | null;
}

export interface GroupCode {
  publisher_id: string;
  group_id: string;
  code_folded: string;
  code: string;
  membership_id: MembershipId;
  is_primary: Generated<boolean>;
  is_generated: Generated<boolean>;
  is_managed: Generated<boolean>;
  is_approved: Generated<boolean>;
  created_at: Generated<Date>;
}

export interface GroupRollup {
  publisher_id: string;
  group_id: string;
  day: Date;
  currency: string;
  row_count: bigint;
  gross_minor: string;
  share_minor: string;
  reversed_count: bigint;
  reversed_gross_minor: string;
  reversed_share_minor: string;
}

export interface GroupTerms {
  publisher_id: string;
  group_id: string;
  version: number;
  body: string;
  sha256: string;
  created_at: Date;
}

export interface IgnoredInput {
  publisher_id: string;
  key_id: KeyId;
  operation: string;
  name: string;
  times: bigint;
  last_at: Date;
}

export interface LedgerCheck {
  publisher_id: string;
  rows_before: string;
  all_at: Date;
  last_at: Date;
}

export interface LedgerCheckDay {
  publisher_id: string;
  group_id: string;
  day: Date;
  moves: bigint;
  membership_ids: MembershipId[];
  membership_moves: string[];
}

export interface LedgerCheckPayout {
  publisher_id: string;
  batch_id: PayoutBatchId;
  is_cancelled: boolean;
  return_count: Generated<bigint>;
}

export interface LedgerEntry {
  publisher_id: string;
  subject_id: string;
  kind: string;
  membership_id: MembershipId;
  currency: string;
  amount_minor: string;
  created_at: Generated<Date>;
}

export interface LedgerVerification {
  publisher_id: string;
  verification_id: VerificationId;
  looks_at_all: boolean;
  status: string;
  requested_at: Date;
  requested_by_kind: string;
  requested_by_id: string;
  requested_by_name: string;
  started_at: Date | null;
  ended_at: Date | null;
  attempts: Generated<number>;
  run_id: string | null;
  worked_until: Date | null;
  rows_read: Generated<bigint>;
  of_rows: bigint | null;
  looked: Json | null;
  broken_rule: string | null;
  broken_place: string | null;
  broken_rows: string[] | null;
  failure: string | null;
}

export interface MemberBalance {
  publisher_id: string;
  membership_id: MembershipId;
  currency: string;
  balance_minor: string;
  unpaid_from: Date | null;
}

export interface Membership {
  publisher_id: string;
  membership_id: MembershipId;
  group_id: string;
  account_id: AccountId;
  player_id: string | null;
  player_metadata: Json | null;
  status: string;
  is_visible: Generated<boolean>;
  tier_id: TierId | null;
  created_at: Generated<Date>;
  removed_at: Date | null;
  removal_reason: string | null;
  merged_into: MembershipId | null;
  merged_at: Date | null;
  pointed_on_at: Date | null;
}

export interface Notification {
  publisher_id: string;
  notification_id: string;
  recipient: string;
  kind: string;
  period_from: Date | null;
  period_until: Date | null;
  began: Generated<string[]>;
  ended: Generated<string[]>;
  status: string;
  created_at: Date;
  next_attempt_at: Date;
  attempt_count: Generated<number>;
  ended_at: Date | null;
  error: string | null;
}

export interface NotificationChannel {
  publisher_id: string;
  channel_id: string;
  kind: string;
  name: string;
  url: string;
  url_hint: string;
  is_enabled: Generated<boolean>;
  disabled_reason: string | null;
  failure_count: Generated<number>;
  last_sent_at: Date | null;
  created_at: Generated<Date>;
}

export interface NotificationChoice {
  publisher_id: string;
  recipient: string;
  time_zone: string;
  send_hour: number;
  daily: string[];
  weekly: string[];
  immediate: string[];
  next_daily_at: Date | null;
  next_weekly_at: Date | null;
}

export interface NotificationIncident {
  publisher_id: string;
  incident_id: string;
  subject: string;
  target: string;
  name: string;
  began_at: Date;
  ended_at: Date | null;
}

export interface OperatorToken {
  token_hash: Buffer;
  token_id: string;
  publisher_id: string;
  name: string;
  role: string;
  created_at: Generated<Date>;
  expires_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
  created_by_kind: string | null;
  created_by_id: string | null;
  created_by_name: string | null;
}

export interface PayRun {
  publisher_id: string;
  pay_run_id: PayRunId;
  as_of: Date;
  started_at: Date;
  started_by_kind: string;
  started_by_id: string;
  started_by_name: string;
  ended_at: Date | null;
  lease_id: string | null;
  worked_until: Date | null;
  attempts: Generated<number>;
}

export interface PayRunLine {
  publisher_id: string;
  pay_run_id: PayRunId;
  group_id: string;
  currency: string;
  total_minor: string;
  requested_by_kind: string;
  requested_by_id: string;
  requested_by_name: string;
  payout_batch_id: PayoutBatchId | null;
  failure_code: string | null;
  failure_message: string | null;
  payout_change: Json | null;
  is_exact: Generated<boolean>;
}

export interface PayeeGate {
  publisher_id: string;
  gate_id: GateId;
  account_id: AccountId;
  kind: string;
  from_at: Date;
  until_at: Date | null;
  note: string;
  set_at: Date;
  set_by_kind: string;
  set_by_id: string;
  set_by_name: string;
}

export interface PayeeGateEnd {
  publisher_id: string;
  gate_id: GateId;
  reason: string;
  ended_at: Date;
  ended_by_kind: string;
  ended_by_id: string;
  ended_by_name: string;
}

export interface PayeeMethod {
  publisher_id: string;
  method_id: PayeeMethodId;
  account_id: AccountId;
  kind: string;
  sealed: string | null;
  hint: string;
  fingerprint: Buffer;
  entered_at: Date;
  entered_by_kind: string;
  entered_by_id: string;
  entered_by_name: string;
  approved_at: Date | null;
  approved_by_kind: string | null;
  approved_by_id: string | null;
  approved_by_name: string | null;
  usable_from: Date | null;
  ended_at: Date | null;
  ended_reason: string | null;
  ended_by_kind: string | null;
  ended_by_id: string | null;
  ended_by_name: string | null;
}

export interface PayeeSettings {
  publisher_id: string;
  wait_days: Generated<number>;
  paypal_decimal_sign: Generated<string>;
  wise_header: string | null;
  wise_source_currency: string | null;
  debtor_name: string | null;
  debtor_iban: string | null;
  debtor_bic: string | null;
}

export interface Payment {
  publisher_id: string;
  attribution_id: AttributionId;
  is_fraud: Generated<boolean>;
  payout_batch_id: PayoutBatchId | null;
  payout_payment_id: string | null;
  paid_at: Date | null;
  created_at: Generated<Date>;
  group_id: string;
  membership_id: MembershipId;
  currency: string;
  transaction_date: Date;
  share_minor: bigint;
  payable_at: Date | null;
  reversed_at: Date | null;
  subtotal_minor: bigint | null;
  refunded_minor: bigint | null;
  reversed_minor: bigint | null;
  part_at: Date | null;
  has_holds: Generated<boolean>;
  reinstated_at: Date | null;
}

export interface PaymentHold {
  publisher_id: string;
  hold_id: HoldId;
  subject: string;
  number: number;
  attribution_id: AttributionId | null;
  account_id: AccountId | null;
  group_id: string | null;
  reason: string;
  ends_at: Date | null;
  placed_at: Date;
  placed_by_kind: string;
  placed_by_id: string;
  placed_by_name: string;
}

export interface PaymentHoldRelease {
  publisher_id: string;
  hold_id: HoldId;
  reason: string;
  released_at: Date;
  released_by_kind: string;
  released_by_id: string;
  released_by_name: string;
}

export interface PayoutBatch {
  publisher_id: string;
  batch_id: PayoutBatchId;
  group_id: string;
  currency: string;
  as_of: Date;
  status: string;
  total_minor: string;
  member_count: number;
  row_count: bigint;
  created_at: Generated<Date>;
  paid_at: Date | null;
  cancelled_at: Date | null;
  worked_until: Date | null;
  was_undone: Generated<boolean>;
  created_by_kind: string | null;
  created_by_id: string | null;
  created_by_name: string | null;
  paid_by_kind: string | null;
  paid_by_id: string | null;
  paid_by_name: string | null;
  planned_count: number | null;
  number: bigint;
  needs_method: boolean | null;
  needs_tax_cleared: boolean | null;
}

export interface PayoutItem {
  publisher_id: string;
  item_id: PayoutItemId;
  batch_id: PayoutBatchId;
  membership_id: MembershipId;
  row_count: bigint;
  payments_minor: string;
  adjustments_minor: string;
  amount_minor: string;
  reward_count: Generated<bigint>;
  rewards_minor: Generated<string>;
  reference: string;
  method_id: PayeeMethodId | null;
  made_at: Date | null;
}

export interface PayoutNumber {
  publisher_id: string;
  last_number: bigint;
}

export interface PayoutReduction {
  publisher_id: string;
  batch_id: PayoutBatchId;
  membership_id: MembershipId;
  previewed_minor: string;
  reasons: string[];
}

export interface PayoutResult {
  publisher_id: string;
  item_id: PayoutItemId;
  result: string;
  batch_id: PayoutBatchId;
  note: string | null;
  recorded_at: Date;
  recorded_by_kind: string;
  recorded_by_id: string;
  recorded_by_name: string;
}

export interface PayoutReturn {
  publisher_id: string;
  item_id: PayoutItemId;
  from_batch_id: PayoutBatchId;
  group_id: string;
  membership_id: MembershipId;
  currency: string;
  amount_minor: string;
  created_at: Date;
  payout_batch_id: PayoutBatchId | null;
  payable_at: Date | null;
}

export interface PlayerCode {
  publisher_id: string;
  group_id: string;
  player_id: string;
  attached_at: Date;
  membership_id: MembershipId | null;
  expires_at: Date | null;
  ended_at: Date | null;
  referral_id: string | null;
  is_end_told: Generated<boolean>;
}

export interface PlayerFirstPurchase {
  publisher_id: string;
  player_id: string;
  transaction_id: string;
}

export interface PortalAttempt {
  secret_hash: Buffer;
  method: string;
  browser_hash: Buffer;
  session_id: string | null;
  created_at: Date;
  expires_at: Date;
}

export interface PortalCode {
  link_hash: Buffer;
  code_hash: Buffer;
  browser_hash: Buffer;
  email: string;
  tries: Generated<number>;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

export interface PortalConfirmation {
  session_id: string;
  code_hash: Buffer;
  change_hash: Buffer;
  tries: Generated<number>;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

export interface PortalEmail {
  email: string;
  user_id: string;
  added_at: Date;
}

export interface PortalInvitation {
  invitation_hash: Buffer;
  publisher_id: string;
  account_id: AccountId;
  email: string;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
}

export interface PortalPasskey {
  credential_id: string;
  sign_in_method_id: string;
  user_id: string;
  public_key: Buffer;
  sign_count: bigint;
  name: string;
  added_at: Date;
  last_used_at: Date | null;
}

export interface PortalProviderAccount {
  issuer: string;
  subject: string;
  sign_in_method_id: string;
  user_id: string;
  provider: string;
  name: string | null;
  added_at: Date;
  last_used_at: Date | null;
}

export interface PortalSession {
  token_hash: Buffer;
  session_id: string;
  user_id: string;
  created_at: Date;
  expires_at: Date;
  last_seen_at: Date;
  address: string | null;
  user_agent: string | null;
  started_with: string | null;
}

export interface PortalUser {
  user_id: string;
  email: string;
  created_at: Date;
  off_subjects: Generated<string[]>;
}

export interface PortalUserAccount {
  account_id: AccountId;
  user_id: string;
  proof: string;
  proven_at: Date;
}

export interface Posting {
  publisher_id: string;
  posting_id: PostingId;
  posted_at: Date;
  earliest_date: Date;
  recording_ids: RecordingId[];
}

export interface ProgressReward {
  publisher_id: string;
  progress_reward_id: ProgressRewardId;
  completion_id: CompletionId;
  reward_id: RewardId;
  reward_completed: boolean;
  reward_reference_id: string | null;
}

export interface Publisher {
  publisher_id: string;
  name: string;
  programme_version: Generated<bigint>;
  created_at: Generated<Date>;
  forget_buyers_after_days: number | null;
  sandbox_of: string | null;
  sandbox_id: string | null;
  accent: string | null;
  payouts_need_method: Generated<boolean>;
  payouts_need_tax_cleared: Generated<boolean>;
  code_link: string | null;
}

export interface PublisherLogo {
  publisher_id: string;
  hash: string;
  media_type: string;
  width: number;
  height: number;
  image: Buffer;
}

export interface PurchaseRefund {
  publisher_id: string;
  transaction_id: string;
  sent_refund_id: string;
  reason: string;
  requested: string;
  occurred_at: Date;
  created_at: Date;
}

export interface PurchaseReinstatement {
  publisher_id: string;
  transaction_id: string;
  refund_key: string;
  reason: string;
  occurred_at: Date;
  created_at: Date;
}

export interface RefundRecord {
  publisher_id: string;
  refund_id: RefundId;
  attribution_id: AttributionId;
  action: string;
  reverses_money: boolean;
  created_at: Generated<Date>;
  gross_minor: bigint | null;
  share_minor: bigint | null;
  sent_refund_id: string | null;
}

export interface RefusedRequest {
  publisher_id: string;
  refused_id: string;
  at: Date;
  key_id: KeyId;
  method: string;
  route: string;
  status: number;
  code: string;
  message: string;
  request_id: string;
  address: string;
  sent_code: string | null;
  group_id: string | null;
}

export interface Reinstatement {
  publisher_id: string;
  reinstatement_id: ReinstatementId;
  refund_id: RefundId;
  refund_key: string;
  attribution_id: AttributionId;
  gross_minor: bigint;
  share_minor: bigint;
  created_at: Date;
}

export interface ReinstatementAdjustment {
  publisher_id: string;
  reinstatement_id: ReinstatementId;
  attribution_id: AttributionId;
  group_id: string;
  membership_id: MembershipId;
  currency: string;
  amount_minor: bigint;
  created_at: Date;
  payout_batch_id: PayoutBatchId | null;
  payable_at: Date | null;
}

export interface RequestCount {
  publisher_id: string;
  hour: Date;
  key_id: KeyId;
  method: string;
  route: string;
  status: number;
  code: string;
  times: bigint;
  last_at: Date;
}

export interface RewardPayment {
  publisher_id: string;
  progress_reward_id: ProgressRewardId;
  group_id: string;
  membership_id: MembershipId;
  currency: string;
  amount_minor: bigint;
  earned_at: Date;
  settled_at: Date;
  payout_batch_id: PayoutBatchId | null;
  paid_at: Date | null;
  payable_at: Date | null;
}

export interface SavedView {
  publisher_id: string;
  view_id: ViewId;
  list: string;
  user_id: string | null;
  name: string;
  query: Json;
}

export interface ScheduledShare {
  publisher_id: string;
  schedule_id: ScheduleId;
  group_id: string;
  starts_at: Date;
  ends_at: Date;
  share_millionths: number | null;
  created_at: Generated<Date>;
  deleted_at: Date | null;
  is_start_told: Generated<boolean>;
  is_end_told: Generated<boolean>;
}

export interface ScheduledTierShare {
  publisher_id: string;
  schedule_id: ScheduleId;
  tier_id: TierId;
  position: number;
  share_millionths: number;
}

export interface SchemaMigration {
  name: string;
  sha256: string;
  applied_at: Generated<Date>;
  oldest_program: string | null;
}

export interface ServiceSecret {
  name: string;
  value: Buffer;
}

export interface SkuShare {
  publisher_id: string;
  group_id: string;
  sku_id: string;
  share_millionths: number;
}

export interface Staff {
  publisher_id: string;
  user_id: string;
  role: string;
  invited_by: string;
  joined_at: Generated<Date>;
  first_steps_dismissed_at: Date | null;
  preview_seen_at: Date | null;
  rehearsal_hidden_at: Date | null;
}

export interface StaffAccount {
  id: string;
  account_id: string;
  provider_id: string;
  user_id: string;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: Date | null;
  refresh_token_expires_at: Date | null;
  scope: string | null;
  password: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface StaffInvitation {
  invitation_hash: Buffer;
  invitation_id: string;
  publisher_id: string;
  email: string;
  role: string;
  invited_by: string;
  created_at: Generated<Date>;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
  mailed_at: Date | null;
}

export interface StaffPasskey {
  id: string;
  user_id: string;
  name: string | null;
  public_key: string;
  credential_id: string;
  counter: number;
  device_type: string;
  backed_up: boolean;
  transports: string | null;
  aaguid: string | null;
  created_at: Generated<Date>;
}

export interface StaffPasswordLink {
  link_hash: Buffer;
  user_id: string;
  created_at: Generated<Date>;
  expires_at: Date;
  used_at: Date | null;
}

export interface StaffRules {
  publisher_id: string;
  demands_two_factor: Generated<boolean>;
  four_eyes_payouts: Generated<boolean>;
}

export interface StaffSession {
  id: string;
  token: string;
  user_id: string;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  expires_at: Date;
  last_seen_at: Generated<Date>;
  confirmed_at: Generated<Date>;
  has_second_factor: Generated<boolean>;
  ip_address: string | null;
  user_agent: string | null;
}

export interface StaffTwoFactor {
  id: string;
  user_id: string;
  secret: string;
  backup_codes: string;
  verified: Generated<boolean>;
  failed_verification_count: Generated<number>;
  locked_until: Date | null;
  last_step: bigint | null;
}

export interface StaffUser {
  id: string;
  name: string;
  email: string;
  email_verified: Generated<boolean>;
  image: string | null;
  two_factor_enabled: Generated<boolean>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface StaffVerification {
  id: string;
  identifier: string;
  value: string;
  expires_at: Date;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface Statement {
  publisher_id: string;
  membership_id: MembershipId;
  currency: string;
  month: Date;
  statement_id: StatementId;
  membership_ids: MembershipId[];
  entries_from: Date;
  entries_before: Date;
  opening_minor: string;
  earned_minor: string;
  bounties_minor: string;
  reversed_minor: string;
  clawed_back_minor: string;
  reinstated_minor: string;
  to_payouts_minor: string;
  from_payouts_minor: string;
  claimed_minor: string;
  closing_minor: string;
  payouts: Json;
  account_id: AccountId;
  account_name: string;
  group_id: string;
  group_name: string;
  publisher_name: string;
  issued_at: Date;
}

export interface StatementProgress {
  publisher_id: string;
  month: Date;
  closes_at: Date;
  done_to: Generated<string>;
}

export interface StreamAlert {
  publisher_id: string;
  user_id: string;
  secret_hash: Buffer;
  created_at: Date;
  text: string;
  placement: string;
  show_seconds: number;
  tested_at: Date | null;
  seen_at: Date | null;
}

export interface TermsAcceptance {
  publisher_id: string;
  account_id: AccountId;
  group_id: string;
  version: number;
  sha256: string;
  accepted_at: Date;
}

export interface Tier {
  publisher_id: string;
  tier_id: TierId;
  group_id: string;
  name: string;
  share_millionths: number;
  created_at: Generated<Date>;
}

export interface TransactionCount {
  publisher_id: string;
  group_id: string;
  hour: Date;
  all_count: bigint;
  test_count: bigint;
  refund_count: bigint;
  fraud_count: bigint;
  chargeback_count: bigint;
}

export interface Unposted {
  publisher_id: string;
  recording_id: RecordingId;
  row_count: number;
}

export interface WebhookAttempt {
  publisher_id: string;
  endpoint_id: EndpointId;
  event_id: EventId;
  attempt_number: number;
  started_at: Date;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  answer: Buffer | null;
}

export interface WebhookDelivery {
  publisher_id: string;
  endpoint_id: EndpointId;
  event_id: EventId;
  attempt_count: Generated<number>;
  try_count: Generated<number>;
  next_attempt_at: Date;
  worker_id: WorkerId | null;
  created_at: Date;
}

export interface WebhookDeliveryEnd {
  publisher_id: string;
  endpoint_id: EndpointId;
  event_id: EventId;
  status: string;
  attempt_count: Generated<number>;
  try_count: Generated<number>;
  created_at: Date;
  finished_at: Date;
}

export interface WebhookEndpoint {
  publisher_id: string;
  endpoint_id: EndpointId;
  url: string;
  event_kinds: string[];
  secret: string;
  next_secret: string | null;
  rotation_started_at: Date | null;
  is_enabled: Generated<boolean>;
  listener_seen_at: Date | null;
  disabled_reason: string | null;
  failing_since: Date | null;
  created_at: Generated<Date>;
}

export interface WebhookEvent {
  publisher_id: string;
  event_id: EventId;
  kind: string;
  created_at: Date;
  event: string;
}

export interface WebhookWorker {
  worker_id: WorkerId;
  alive_until: Date;
}

export interface Tables {
  api_key: ApiKey;
  attribution: Attribution;
  attribution_change: AttributionChange;
  audit_entry: AuditEntry;
  auth_code: AuthCode;
  bounty: Bounty;
  bounty_completion: BountyCompletion;
  bounty_contribution: BountyContribution;
  bounty_event: BountyEvent;
  bounty_event_id: BountyEventId;
  bounty_objective: BountyObjective;
  bounty_prerequisite: BountyPrerequisite;
  bounty_progress: BountyProgress;
  bounty_reward: BountyReward;
  bounty_total: BountyTotal;
  buyer_forgetting: BuyerForgetting;
  change_feed: ChangeFeed;
  clawback: Clawback;
  clock_move: ClockMove;
  connector: Connector;
  connector_event: ConnectorEvent;
  connector_order: ConnectorOrder;
  creator_account: CreatorAccount;
  creator_application: CreatorApplication;
  creator_group: CreatorGroup;
  creator_identity: CreatorIdentity;
  creator_note: CreatorNote;
  creator_notice: CreatorNotice;
  creator_tag: CreatorTag;
  creator_tagged: CreatorTagged;
  credited_code: CreditedCode;
  default_view: DefaultView;
  demo_load: DemoLoad;
  earning_rollup: EarningRollup;
  erasure_request: ErasureRequest;
  former_buyer: FormerBuyer;
  former_player: FormerPlayer;
  global_code: GlobalCode;
  group_applications: GroupApplications;
  group_code: GroupCode;
  group_rollup: GroupRollup;
  group_terms: GroupTerms;
  ignored_input: IgnoredInput;
  ledger_check: LedgerCheck;
  ledger_check_day: LedgerCheckDay;
  ledger_check_payout: LedgerCheckPayout;
  ledger_entry: LedgerEntry;
  ledger_verification: LedgerVerification;
  member_balance: MemberBalance;
  membership: Membership;
  notification: Notification;
  notification_channel: NotificationChannel;
  notification_choice: NotificationChoice;
  notification_incident: NotificationIncident;
  operator_token: OperatorToken;
  pay_run: PayRun;
  pay_run_line: PayRunLine;
  payee_gate: PayeeGate;
  payee_gate_end: PayeeGateEnd;
  payee_method: PayeeMethod;
  payee_settings: PayeeSettings;
  payment: Payment;
  payment_hold: PaymentHold;
  payment_hold_release: PaymentHoldRelease;
  payout_batch: PayoutBatch;
  payout_item: PayoutItem;
  payout_number: PayoutNumber;
  payout_reduction: PayoutReduction;
  payout_result: PayoutResult;
  payout_return: PayoutReturn;
  player_code: PlayerCode;
  player_first_purchase: PlayerFirstPurchase;
  portal_attempt: PortalAttempt;
  portal_code: PortalCode;
  portal_confirmation: PortalConfirmation;
  portal_email: PortalEmail;
  portal_invitation: PortalInvitation;
  portal_passkey: PortalPasskey;
  portal_provider_account: PortalProviderAccount;
  portal_session: PortalSession;
  portal_user: PortalUser;
  portal_user_account: PortalUserAccount;
  posting: Posting;
  progress_reward: ProgressReward;
  publisher: Publisher;
  publisher_logo: PublisherLogo;
  purchase_refund: PurchaseRefund;
  purchase_reinstatement: PurchaseReinstatement;
  refund_record: RefundRecord;
  refused_request: RefusedRequest;
  reinstatement: Reinstatement;
  reinstatement_adjustment: ReinstatementAdjustment;
  request_count: RequestCount;
  reward_payment: RewardPayment;
  saved_view: SavedView;
  scheduled_share: ScheduledShare;
  scheduled_tier_share: ScheduledTierShare;
  schema_migration: SchemaMigration;
  service_secret: ServiceSecret;
  sku_share: SkuShare;
  staff: Staff;
  staff_account: StaffAccount;
  staff_invitation: StaffInvitation;
  staff_passkey: StaffPasskey;
  staff_password_link: StaffPasswordLink;
  staff_rules: StaffRules;
  staff_session: StaffSession;
  staff_two_factor: StaffTwoFactor;
  staff_user: StaffUser;
  staff_verification: StaffVerification;
  statement: Statement;
  statement_progress: StatementProgress;
  stream_alert: StreamAlert;
  terms_acceptance: TermsAcceptance;
  tier: Tier;
  transaction_count: TransactionCount;
  unposted: Unposted;
  webhook_attempt: WebhookAttempt;
  webhook_delivery: WebhookDelivery;
  webhook_delivery_end: WebhookDeliveryEnd;
  webhook_endpoint: WebhookEndpoint;
  webhook_event: WebhookEvent;
  webhook_worker: WebhookWorker;
}
