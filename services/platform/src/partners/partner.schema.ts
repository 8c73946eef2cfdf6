import {
  Actions,
  BusinessDay,
  choice,
  Day,
  input,
  list,
  Name,
  record,
  ShortText,
  Timestamp,
  Url,
  version,
} from '@suite/chassis';
import { z } from 'zod';
import { partnerStates } from './partner.rules.ts';

/** The tiers of partners, from the first to the highest. */
const TIERS = ['registered', 'silver', 'gold', 'platinum'] as const;
const Tier = choice(...TIERS);

/** A partner as those see it who look after partners. */
export const Partner = record({
  name: z.string(),
  tier: Tier,
  since: Day,
  url: z.string().nullable(),
  verified: z.boolean(),
  status: choice('active', 'revoked'),
  revoked_at: Timestamp.nullable(),
  token: z.string().describe('Token of the badge. Public: visible to all viewers of the badge.'),
  badge_url: z.string().describe('Address of the badge, for the page of the partner.'),
  allowed_actions: Actions(partnerStates),
}).meta({ id: 'Partner' });

/** A partner without what is computed: the columns of its row. */
export const PartnerColumns = Partner.omit({ badge_url: true, allowed_actions: true });

const facts = {
  name: Name,
  tier: Tier,
  since: BusinessDay.describe('The day since when it is a partner.'),
  url: Url.nullable().optional().describe('Its own page.'),
  verified: z.boolean(),
};

export const NewPartner = input({ ...facts, verified: facts.verified.default(false) });

export const PartnerChanges = input({ ...facts, version }).partial();

export const PartnerFilter = list(Partner, {
  filter: ['id', 'name', 'tier', 'since', 'verified', 'status', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name', 'since'],
  search: true,
});

/** A badge as everybody may see it. */
export const Badge = z
  .object({
    partner: z.object({ name: z.string(), tier: Tier, since: Day, verified: z.boolean(), url: z.string().nullable() }),
    issuer: z.string().describe('The company whose partner it is.'),
    image_url: z.string(),
    valid: z.literal(true),
  })
  .meta({ id: 'Badge' });

/** The token in the path of a badge: of whatever form, so that a malformed one is answered like an unknown one. */
export const BadgeToken = ShortText(4_096);

export const BadgeForm = {
  format: choice('json', 'svg').optional().describe('Instead of `Accept`, which the tag of a picture cannot set.'),
  style: choice('flat', 'for-the-badge').optional().describe('Style of the picture. Defaults to `flat`.'),
};

export type NewPartner = z.output<typeof NewPartner>;
export type PartnerChanges = z.output<typeof PartnerChanges>;
export type Badge = z.output<typeof Badge>;
