/** Limits far above any test's traffic. The published limits have tests of their own. */
export const UNLIMITED = {
  token: 1_000_000,
  workspace: 1_000_000,
  login: 1_000_000,
  link: 1_000_000,
  badge: 1_000_000,
  widget: 1_000_000,
  public: 1_000_000,
  plans: 1_000_000,
  instance: 1_000_000,
  unsigned: 1_000_000,
  anonymous: 1_000_000,
};
