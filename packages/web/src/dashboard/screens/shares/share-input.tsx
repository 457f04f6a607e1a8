import { PercentInput } from '../../../ui/number-input.tsx';
import { readPercent } from '../../../ui/read-number.ts';
import { t } from '../../../ui/text.ts';

/** Share that a group, a tier or a SKU may have. */
const bounds = { min: 0n, max: 100n };

interface ShareInputProps {
  description: string;
  /** Text as it was typed. */
  value: string;
  isOff: boolean;
  onChange(value: string): void;
}

/** Field for the share of a group, a tier or a SKU. */
export function ShareInput({ description, value, isOff, onChange }: ShareInputProps) {
  return (
    <PercentInput
      label={t('Share')}
      description={description}
      value={value}
      bounds={bounds}
      disabled={isOff}
      onChange={onChange}
    />
  );
}

/** @returns percent; null while the text is not a share */
export const readShare = (typed: string): number | null => readPercent(typed, bounds).value;

/** Writes a saved share as its field holds it. */
export const shareText = (percent: number | null | undefined): string =>
  percent === null || percent === undefined ? '' : String(percent);
