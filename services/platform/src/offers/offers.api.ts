/** A white-label instance sells the operator's plans at prices of its own; the part above wholesale is its margin. */
import { cached, forInstances, ok } from '@suite/chassis';
import { z } from 'zod';
import { command, query } from '../operations.ts';
import { BelowWholesale, PriceUnknown } from './offer.rules.ts';
import { Offer, OfferChange, OfferQuery, PlanName } from './offer.schema.ts';
import { changeOffer, offersTo } from './offer.ts';

/** So long an instance may show prices that it has just changed itself. */
const MAX_AGE_S = 60;

export const list = query('GET /api/wl/plans', {
  summary: 'List the plans of an instance',
  description: 'In the order of the operator, with what your customers pay, what you pay, and what is left to you.',
  access: forInstances,
  query: OfferQuery,
  reply: cached(ok(z.array(Offer)), MAX_AGE_S),
  handle: async ({ db, query, caller }) =>
    (await offersTo(db, caller.instance!.id, query)).filter(({ offered }) => offered),
});

export const update = command('POST /api/wl/plans/update/{code}', {
  summary: 'Update the price of an offered plan',
  access: forInstances,
  params: { code: PlanName },
  body: OfferChange,
  reply: ok(Offer),
  faults: [BelowWholesale, PriceUnknown],
  handle: ({ db, params, body, caller }) => changeOffer(db, caller.instance!.id, params.code, body),
});
