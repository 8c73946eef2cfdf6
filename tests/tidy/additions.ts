/**
 * Routes that the specification does not list and that we offer all the same, each with its reason.
 * A route is written as in its operation: `GET /api/…/{id}`.
 */
export const additions: Readonly<Record<string, string>> = {
  'GET /api/user-photo/{token}':
    'where the signed links of photos lead: files are served by short-lived links, which carry their own right',
};
