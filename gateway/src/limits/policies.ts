/** Published rate limit. The API docs print the limits, and a deployment can override them. */
export interface RateLimit {
  /** Number of requests in the window. */
  limit: number;
  window_s: number;
  /** Description for the API docs: the counted requests, and the key that they are counted by. */
  counts: string;
  /**
   * Excludes successful requests from the count. `at_once`: requests count as failures while they run, which limits
   * parallel guessing. `afterwards`: requests count after they have failed, which allows legitimate parallel requests.
   */
  only_failures?: 'at_once' | 'afterwards';
}

/**
 * Published limits. Platform also counts failed logins for each account, because the gateway does not know the account.
 */
export const policies = {
  token: { limit: 600, window_s: 60, counts: 'Requests of one session or one API key.' },
  workspace: {
    limit: 3_000,
    window_s: 60,
    counts: 'Requests of one workspace. Its plan may set a lower limit (`api_rpm`).',
  },
  login: { limit: 30, window_s: 60, counts: 'Failed logins from one IP address.', only_failures: 'at_once' },
  link: {
    limit: 30,
    window_s: 60,
    counts: 'Requests with personal links, such as the link of a requester, from one IP address.',
  },
  plans: { limit: 60, window_s: 60, counts: 'Requests of the price list from one IP address.' },
  badge: { limit: 120, window_s: 60, counts: 'Requests of partner badges from one IP address.' },
  widget: { limit: 120, window_s: 60, counts: 'Requests of web forms from one IP address.' },
  reports: { limit: 600, window_s: 60, counts: 'Delivery reports of text-message providers from one IP address.' },
  public: { limit: 20, window_s: 60, counts: 'Other writes without a token from one IP address.' },
  instance: { limit: 300, window_s: 60, counts: 'Requests with the tokens of one white-label instance.' },
  unsigned: {
    limit: 30,
    window_s: 60,
    counts: 'Rejected webhook events, such as those without a valid signature, from one IP address.',
    only_failures: 'afterwards',
  },
  // Chosen: other requests are limited to 600 a minute, because the specification publishes no limit. The limit is too
  // low for guessing tokens.
  anonymous: { limit: 600, window_s: 60, counts: 'Other requests without a token from one IP address.' },
} as const satisfies Record<string, RateLimit>;

export type PolicyName = keyof typeof policies;

/** Returns the published policies with the overrides of a deployment. */
export function effectivePolicies(limits: Partial<Record<PolicyName, number>>): Record<PolicyName, RateLimit> {
  const entries = Object.entries(policies).map(([name, policy]) => [
    name,
    { ...policy, limit: limits[name as PolicyName] ?? policy.limit },
  ]);
  return Object.fromEntries(entries) as Record<PolicyName, RateLimit>;
}
