/**
 * So much of something, shared between whoever wants it (dynamic thresholds, as in network switches): who has a lot gets
 * more only while a lot is free. With a greed of 1 one alone gets a half, two get a third each, and what is left is there
 * for everybody else.
 */
export interface Account {
  name: string;
  /** How many times what is free it may have. */
  greed: number;
}

export interface Shares {
  /** Whether there is room for one more on all these accounts. */
  admit(accounts: readonly Account[]): boolean;
  take(accounts: readonly Account[], amount?: number): void;
  giveBack(accounts: readonly Account[], amount?: number): void;
  /** How near the nearest of these accounts is to its limit. */
  pressure(accounts: readonly Account[]): number;
}

/** Divides `size` of something. */
export function shares(size: number): Shares {
  const taken = new Map<string, number>();
  let free = size;

  const change = (accounts: readonly Account[], amount: number) => {
    free -= amount;
    for (const { name } of accounts) {
      const now = (taken.get(name) ?? 0) + amount;
      if (now > 0) taken.set(name, now);
      else taken.delete(name);
    }
  };
  return {
    admit: (accounts) => free > 0 && accounts.every(({ name, greed }) => (taken.get(name) ?? 0) < greed * free),
    take: (accounts, amount = 1) => change(accounts, amount),
    giveBack: (accounts, amount = 1) => change(accounts, -amount),
    pressure: (accounts) => Math.max(0, ...accounts.map(({ name, greed }) => (taken.get(name) ?? 0) / greed)),
  };
}
