import { exponentOf } from './currencies.ts';
import classes from './figures.module.css';
import { numberFormat } from './number-format.ts';
import { t } from './text.ts';

interface MoneyProps {
  /** Whole minor units as text, because they may exceed a number's precision; null if unknown. */
  minor: string | null | undefined;
  currency: string;
  /** True to also show a negative amount in red. The sign is always shown. */
  isSigned?: boolean;
  /** True in a column of a single currency, whose head names it. */
  isBare?: boolean;
}

/** Amount in tabular figures, with its currency code. */
export function Money({ minor, currency, isSigned = false, isBare = false }: MoneyProps) {
  if (minor === null || minor === undefined) return <span className={classes.unknown}>{unknown}</span>;
  const isNegative = minor.startsWith('-') && /[1-9]/.test(minor);
  return (
    <span className={classes.figures} data-negative={(isSigned && isNegative) || undefined}>
      {isSigned && isNegative && <span className={classes.hidden}>{t('minus')} </span>}
      {formatAmount(minor, currency)}
      {!isBare && (
        <>
          {' '}
          <span className={classes.code}>{currency}</span>
        </>
      )}
    </span>
  );
}

interface ReducedMoneyProps {
  minor: string | null;
  /** Part of the amount that was taken back. */
  takenMinor: string;
  currency: string;
}

/** Amount of which a part may have been taken back. It is crossed out, and what is left, if anything, is beside it. */
export function ReducedMoney({ minor, takenMinor, currency }: ReducedMoneyProps) {
  if (minor === null || !/[1-9]/.test(takenMinor)) return <Money minor={minor} currency={currency} />;
  const left = BigInt(minor) - BigInt(takenMinor);
  return (
    <span className={classes.reduced}>
      <span className={classes.hidden}>{left === 0n ? t('reversed:') : t('reduced from')} </span>
      <s>
        <Money minor={minor} currency={currency} isBare={left !== 0n} />
      </s>
      {left !== 0n && (
        <>
          {' '}
          <span className={classes.hidden}>{t('to')} </span>
          <Money minor={String(left)} currency={currency} />
        </>
      )}
    </span>
  );
}

/** Placeholder for an unknown value, used instead of a zero. */
export const unknown = '–';

/** @returns the exact amount in the reader's locale without its currency: `1,234.50`, `−0.05` */
export function formatAmount(minor: string, currency: string): string {
  const exponent = exponentOf(currency);
  if (exponent === null) return minor;
  const digits = minor.replace('-', '').padStart(exponent + 1, '0');
  const at = digits.length - exponent;
  const decimal = exponent === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
  const text = numberFormat({
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  }).format(decimal as unknown as number); // `format` is exact for strings
  return minor.startsWith('-') ? `−${text}` : text;
}

/** Returns the amount with the other sign, such as what was reversed, which all screens show as negative. */
export const negated = (minor: string): string => String(-BigInt(minor));

export const formatMoney = (minor: string, currency: string): string =>
  `${formatAmount(minor, currency)} ${currency}`;
