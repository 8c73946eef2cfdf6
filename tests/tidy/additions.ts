const oneTimeLink = 'a link sent by e-mail (invitation, reset, verification) must work for somebody who has no session';

const fileLink = 'where the signed links of files lead: a link carries its own right, for a quarter of an hour';

/**
 * Routes that the specification does not list and that we offer all the same, each with its reason.
 * A route is written as in its operation: `GET /api/…/{id}`.
 */
export const additions: Readonly<Record<string, string>> = {
  'GET /api/user-photo/{token}':
    'where the signed links of photos lead: files are served by short-lived links, which carry their own right',
  'GET /api/lead-file/download/{token}': fileLink,
  'GET /api/deal-file/download/{token}': fileLink,
  'GET /api/product-image/{token}': fileLink,
  'POST /api/product/image/{id}': 'a product has a picture, and JSON cannot carry one',
  'POST /api/pos/create': 'the specification only reads till sales: without this there would be none',
  'POST /api/pos/refund/{id}': 'what was sold at the till comes back there, and its goods, money and tax with it',
  'GET /api/one-time-link': oneTimeLink,
  'POST /api/accept-invitation': oneTimeLink,
  'POST /api/reset-password': oneTimeLink,
  'POST /api/verify-email': oneTimeLink,
  'POST /api/forgot-password': 'whoever has forgotten the password has no session to ask with',
};
