import type { ConnectorSettings, GenericSettings } from '../settings.ts';
import { presets } from './generic-presets.ts';

type Required =
  | 'header'
  | 'algorithm'
  | 'encoding'
  | 'signed'
  | 'units'
  | 'sale'
  | 'refund'
  | 'type'
  | 'orderId'
  | 'currency'
  | 'time';

/** Settings of a connector for any shop, complete with the values of its preset. */
export type GenericFields = GenericSettings & { [Name in Required]-?: NonNullable<GenericSettings[Name]> };

export const genericOf = ({ generic: own = {} }: ConnectorSettings): GenericFields =>
  ({ ...(presets[own.preset ?? 'own'] ?? presets.own), ...own }) as GenericFields;
