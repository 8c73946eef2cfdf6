/** Public badges of partners. */
import { cached, MEDIA, ok, openToSites, sendToCaches } from '@suite/chassis/operations';
import { query } from '../../operations.ts';
import { drawBadge, readBadge } from './badge.ts';
import { Badge, BadgeForm, BadgeToken } from './partner.schema.ts';

/** Time for which a revoked badge may still be visible. */
const MAX_AGE_S = 300;

export const show = query('GET /api/badge/{token}', {
  summary: 'Get a partner badge',
  description: 'Returns the badge as JSON or as an image. Unknown and revoked tokens return the same response.',
  access: openToSites('badge'),
  params: { token: BadgeToken },
  query: BadgeForm,
  reply: cached(ok(Badge), MAX_AGE_S),
  handle: ({ db, params, public_url }) => readBadge(db, params.token, public_url),
  formats: {
    svg: async ({ record, query: { style } }) =>
      sendToCaches(await drawBadge(record, style), {
        max_age_s: MAX_AGE_S,
        'Content-Type': MEDIA.svg,
        'Content-Security-Policy': "default-src 'none'",
        'X-Content-Type-Options': 'nosniff',
      }),
  },
});
