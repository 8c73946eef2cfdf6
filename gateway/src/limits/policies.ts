/** The published rate limits, as data: the documents print them, and a deployment may set its own. */
export interface Policy {
  /** Requests within the window. */
  limit: number;
  window_s: number;
  /** The requests that count and the key they are counted by, in words for the documents. */
  counts: string;
  /**
   * Requests that succeed do not count. `at_once`: while they run they count as failures, for what is guessed many times at once;
   * `afterwards`: they count once they have failed, for what comes many times at once and is fine.
   */
  only_failures?: 'at_once' | 'afterwards';
}

/** The published numbers. Platform also counts failed logins per account: only it sees the account. */
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
  // Chosen: the specification publishes no number for other requests; generous, but no room to guess tokens.
  anonymous: { limit: 600, window_s: 60, counts: 'Other requests without a token from one IP address.' },
} as const satisfies Record<string, Policy>;

export type PolicyName = keyof typeof policies;

/** The published policies with a deployment's own limits in their place. */
export function effectivePolicies(limits: Partial<Record<PolicyName, number>>): Record<PolicyName, Policy> {
  const entries = Object.entries(policies).map(([name, policy]) => [
    name,
    { ...policy, limit: limits[name as PolicyName] ?? policy.limit },
  ]);
  return Object.fromEntries(entries) as Record<PolicyName, Policy>;
}
