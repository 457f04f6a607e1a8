import { NumberInput } from '@mantine/core';
import { t } from '../../../ui/text.ts';

interface ShareInputProps {
  description: string;
  /** A text as long as it is no number. */
  value: number | string;
  isOff: boolean;
  onChange(value: number | string): void;
}

/** A share in percent, with the decimals that the service keeps. */
export function ShareInput({ description, value, isOff, onChange }: ShareInputProps) {
  return (
    <NumberInput
      label={t('Share')}
      description={description}
      value={value}
      min={0}
      max={100}
      decimalScale={4}
      suffix=" %"
      disabled={isOff}
      onChange={onChange}
    />
  );
}
