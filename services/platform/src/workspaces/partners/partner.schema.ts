import {
  BusinessDay,
  choice,
  Day,
  input,
  Name,
  record,
  ShortText,
  Timestamp,
  Url,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { partnerStates } from './partner.rules.ts';

/** Partner tiers, from lowest to highest. */
const TIERS = ['registered', 'silver', 'gold', 'platinum'] as const;
const Tier = choice(...TIERS);

/** Partner, with the fields for users who manage partners. */
export const Partner = record({
  name: z.string(),
  tier: Tier,
  since: Day,
  url: z.string().nullable(),
  verified: z.boolean(),
  status: choice('active', 'revoked'),
  revoked_at: Timestamp.nullable(),
  token: z.string().describe('Token of the badge. Public: visible to all viewers of the badge.'),
  badge_url: z.string().describe('URL of the badge, for the website of the partner.'),
  allowed_actions: Actions(partnerStates),
}).meta({ id: 'Partner' });

/** Partner without computed fields: the columns of its row. */
export const PartnerColumns = Partner.omit({ badge_url: true, allowed_actions: true });

const facts = {
  name: Name,
  tier: Tier,
  since: BusinessDay.describe('First day of the partnership.'),
  url: Url.nullable().optional().describe('Web page of the partner.'),
  verified: z.boolean(),
};

export const NewPartner = input({ ...facts, verified: facts.verified.default(false) });

export const PartnerChanges = input({ ...facts, version }).partial();

export const PartnerFilter = list(Partner, {
  filter: ['id', 'name', 'tier', 'since', 'verified', 'status', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name', 'since'],
  search: true,
});

/** Public view of a badge. */
export const Badge = z
  .object({
    partner: z.object({ name: z.string(), tier: Tier, since: Day, verified: z.boolean(), url: z.string().nullable() }),
    issuer: z.string().describe('Company that issued the badge.'),
    image_url: z.string(),
    valid: z.literal(true),
  })
  .meta({ id: 'Badge' });

/**
 * Token in the path of a badge. Any format is accepted, so that a malformed token gets the same response as an unknown
 * one.
 */
export const BadgeToken = ShortText(4_096);

export const BadgeForm = {
  format: choice('json', 'svg')
    .optional()
    .describe('Format of the response. Overrides `Accept`, which an `<img>` tag cannot set.'),
  style: choice('flat', 'for-the-badge').optional().describe('Style of the image. Defaults to `flat`.'),
};

export type NewPartner = z.output<typeof NewPartner>;
export type PartnerChanges = z.output<typeof PartnerChanges>;
export type Badge = z.output<typeof Badge>;
