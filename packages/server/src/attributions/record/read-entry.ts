import { foldCode } from '../../members/read/resolve-codes.ts';
import { currencyExponent } from '../../platform/currencies.ts';
import { formatMinorUnits, maxAmountMinor, toMinorUnits } from '../../platform/money.ts';
import { percentToMillionths } from '../../platform/percent.ts';
import type { InputPath } from '../../platform/refusal.ts';
import { parseTimestamp } from '../../platform/timestamps.ts';
import type { Metrics, Origin, TransactionEntry, TransactionStatus } from '../transaction-schema.ts';
import { refuseEntry } from './refuse-entry.ts';

/** Purchase with defaults applied and amounts in minor units, before its code is looked up. */
export interface Purchase {
  transactionId: string;
  /** Source of the purchase: `api`, unless a connector recorded it. */
  origin: Origin;
  codeFolded: string;
  /** True if the code is the one that the player had entered, and was not sent. */
  usesPlayerCode: boolean;
  description: string;
  status: TransactionStatus;
  subtotalMinor: bigint;
  currency: string;
  totalMinor: bigint;
  totalCurrency: string;
  transactionDate: Date;
  platform: string | null;
  playerId: string | null;
  playerName: string | null;
  skuId: string | null;
  metrics: Metrics | null;
  sentShareMillionths: number | null;
}

/**
 * Converts an entry that has passed its schema: applies defaults, converts units and parses times.
 * @param path position of the entry in a list; empty for a single entry
 * @param lowestDenomination false when amounts are in major units (docs/money.md)
 * @throws Refusal InvalidInput for amounts that are not whole minor units, and for a conversion without
 *   `lastPurchase` or `totalSpendToDate`
 */
export function readEntry(entry: TransactionEntry, path: InputPath, lowestDenomination: boolean): Purchase {
  const totalCurrency = entry.totalCurrency ?? entry.currency;
  const unit = { path, lowestDenomination };
  const subtotalMinor = readAmount(entry.subtotal, entry.currency, { ...unit, name: 'subtotal', min: 1n });
  return {
    transactionId: entry.transactionId,
    origin: 'api',
    codeFolded: foldCode(entry.code),
    usesPlayerCode: false,
    description: entry.description,
    status: entry.status === 'Test' ? 'Test' : 'Normal',
    subtotalMinor,
    currency: entry.currency,
    // If no total was sent, the subtotal's minor units are used, even if totalCurrency has a different
    // exponent.
    totalMinor:
      entry.total === undefined
        ? subtotalMinor
        : readAmount(entry.total, totalCurrency, { ...unit, name: 'total', min: 0n }),
    totalCurrency,
    transactionDate: readTime(entry.transactionDate),
    platform: entry.platform ?? null,
    playerId: entry.playerId ?? null,
    playerName: entry.playerName ?? null,
    skuId: entry.skuId ?? null,
    metrics: entry.metrics === undefined ? null : readMetrics(entry.metrics, path, lowestDenomination),
    sentShareMillionths:
      entry.memberSharePercent === undefined ? null : percentToMillionths(entry.memberSharePercent),
  };
}

interface AmountRule {
  path: InputPath;
  name: string;
  min: bigint;
  lowestDenomination: boolean;
}

/**
 * Converts an amount to minor units.
 * @throws Refusal InvalidInput
 */
export function readAmount(value: number, currency: string, rule: AmountRule): bigint {
  const { path, name, min, lowestDenomination } = rule;
  const exponent = lowestDenomination ? 0 : currencyExponent(currency);
  const amount = toMinorUnits(value, exponent);
  if (amount !== null && amount >= min) return amount;
  const inUnits = (minor: bigint): string =>
    lowestDenomination ? String(minor) : `${formatMinorUnits(minor, currency)} ${currency}`;
  const problem = (): string => {
    if (value < 0 || amount !== null) return `must be at least ${inUnits(min)}`;
    if (value > Number(maxAmountMinor) / 10 ** exponent) return `must be at most ${inUnits(maxAmountMinor)}`;
    return lowestDenomination
      ? `must be a whole number of minor units from ${min} to ${maxAmountMinor}`
      : `must be an amount of ${currency} with at most ${exponent} decimal places`;
  };
  throw refuseEntry([...path, name], problem());
}

/**
 * Converts metrics that have passed their schema. Returns null for empty metrics.
 * @throws Refusal InvalidInput
 */
export function readMetrics(
  { joinDate, conversion }: NonNullable<TransactionEntry['metrics']>,
  path: InputPath,
  lowestDenomination: boolean,
): Metrics | null {
  const metrics: Metrics = {};
  if (joinDate !== undefined) metrics.joinDate = readTime(joinDate).toISOString();
  if (conversion !== undefined) {
    const date = conversion.lastPurchase?.date ?? conversion.lastPurchaseDate;
    const platform = conversion.lastPurchase?.platform;
    const spend = conversion.totalSpendToDate;
    if (date === undefined && platform === undefined && spend === undefined) {
      throw refuseEntry([...path, 'metrics', 'conversion'], 'requires lastPurchase or totalSpendToDate');
    }
    metrics.conversion = {};
    if (date !== undefined || platform !== undefined) {
      metrics.conversion.lastPurchase = {
        ...(date !== undefined && { date: readTime(date).toISOString() }),
        ...(platform !== undefined && { platform }),
      };
    }
    if (spend !== undefined) {
      metrics.conversion.totalSpendToDate = {
        total: lowestDenomination ? spend.total : wholeSpend(spend, path),
        currency: spend.currency,
      };
    }
  }
  return Object.keys(metrics).length === 0 ? null : metrics;
}

function wholeSpend({ total, currency }: { total: number; currency: string }, path: InputPath): number {
  const minor = toMinorUnits(total, currencyExponent(currency));
  if (minor !== null) return Number(minor);
  throw refuseEntry(
    [...path, 'metrics', 'conversion', 'totalSpendToDate', 'total'],
    `must be an amount of ${currency} with at most ${currencyExponent(currency)} decimal places`,
  );
}

function readTime(text: string): Date {
  const ms = parseTimestamp(text);
  if (ms === null) throw new Error("a timestamp passed its schema but can't be parsed");
  return new Date(ms);
}
