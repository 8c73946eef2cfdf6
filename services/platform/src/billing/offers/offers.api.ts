/** Plans that a white-label instance sells at its own prices. The part above the wholesale price is its margin. */
import { cached, forInstances, ok } from '@suite/chassis/operations';
import { z } from 'zod';
import { command, query } from '../../operations.ts';
import { BelowWholesale, PriceUnknown } from './offer.rules.ts';
import { Offer, OfferChange, OfferQuery, PlanName } from './offer.schema.ts';
import { changeOffer, readOffers } from './offer.ts';

/** Time for which an instance may see old prices after it has changed them. */
const MAX_AGE_S = 60;

export const list = query('GET /api/wl/plans', {
  summary: 'List the plans of an instance',
  description:
    'Returns the plans that you offer, in the order of the operator. Shows the price for your customers, your wholesale price and your margin.',
  access: forInstances,
  query: OfferQuery,
  reply: cached(ok(z.array(Offer)), MAX_AGE_S),
  handle: async ({ db, query, caller }) =>
    (await readOffers(db, caller.instance!.id, query)).filter(({ offered }) => offered),
});

export const update = command('POST /api/wl/plans/update/{code}', {
  summary: 'Update the price of an offered plan',
  description:
    'Sets your prices for a plan, and whether you offer it. Open subscriptions keep their price. Returns `below_wholesale` for an amount below your wholesale price, and `price_unknown` for another currency or interval.',
  addition: 'An instance sells at prices of its own, and must be able to set them.',
  access: forInstances,
  params: { code: PlanName },
  body: OfferChange,
  reply: ok(Offer),
  faults: [BelowWholesale, PriceUnknown],
  handle: ({ db, params, body, caller }) => changeOffer(db, caller.instance!.id, params.code, body),
});
