import { PercentInput } from '../../../ui/number-input.tsx';
import { formatPercent } from '../../../ui/percent.tsx';
import { readPercent } from '../../../ui/read-number.ts';
import { t } from '../../../ui/text.ts';

/** Bounds for the share of a group, tier or SKU, in percent. */
const bounds = { min: 0n, max: 100n };

interface ShareInputProps {
  description: string;
  value: string;
  isOff: boolean;
  /** Marks the field as required, in the form of something new. */
  isRequired?: boolean;
  onChange(value: string): void;
}

export function ShareInput({ description, value, isOff, isRequired = false, onChange }: ShareInputProps) {
  return (
    <PercentInput
      label={t('Share')}
      description={description}
      value={value}
      bounds={bounds}
      disabled={isOff}
      required={isRequired}
      onChange={onChange}
    />
  );
}

/** @returns percent; null while the text is invalid */
export const readShare = (typed: string): number | null => readPercent(typed, bounds).value;

export const shareText = (percent: number | null | undefined): string =>
  percent === null || percent === undefined ? '' : String(percent);

/** Returns a share for display: as a percentage, or as typed while the text is invalid. */
export function describeShare(typed: string): string {
  const share = readShare(typed);
  return share === null ? typed : formatPercent(share);
}
