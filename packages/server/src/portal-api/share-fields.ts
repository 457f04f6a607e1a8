import { Type } from 'typebox';
import { oneOf } from '../platform/http/schemas/fields.ts';
import { shareRules } from '../revenue-shares/resolve-share.ts';

export const shareRule = oneOf(shareRules, {
  title: 'ShareRule',
  description:
    "sent: the publisher sent a percentage with the purchase. sku: the product's own share. scheduled-tier: a schedule's share " +
    "for the creator's tier. scheduled-group: a schedule's share for all members of the group. tier: the share of the " +
    "creator's tier. group: the group's default.",
});

export const percent = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} 12.5 means 12.5 percent.` });
