/**
 * Consumer of a capacity that is divided fairly by dynamic thresholds, as in network switches. A consumer may use at
 * most `weight` times the free capacity. With a weight of 1, a single consumer gets a half. Two get a third each, and
 * the rest stays free for new consumers.
 */
export interface CapacityConsumer {
  name: string;
  weight: number;
}

export interface FairShare {
  /** True while each of these consumers is below its threshold. */
  admits(consumers: readonly CapacityConsumer[]): boolean;
  acquire(consumers: readonly CapacityConsumer[], amount?: number): void;
  release(consumers: readonly CapacityConsumer[], amount?: number): void;
  /** Highest usage among these consumers, in proportion to their weights. */
  usage(consumers: readonly CapacityConsumer[]): number;
}

/**
 * Number of idle consumers that triggers a clean-up of all idle consumers. Adding and removing each consumer costs more
 * than counting.
 */
const MAX_IDLE = 1_000;

/** Divides a capacity among consumers. */
export function fairShare(capacity: number): FairShare {
  const used = new Map<string, number>();
  let free = capacity;
  let idle = 0;

  const forgetIdle = () => {
    idle = 0;
    for (const [name, amount] of used) if (amount === 0) used.delete(name);
  };
  const change = (consumers: readonly CapacityConsumer[], amount: number) => {
    free -= amount;
    for (const { name } of consumers) {
      const before = used.get(name);
      const now = (before ?? 0) + amount;
      used.set(name, now);
      if (before === 0) idle -= 1;
      if (now === 0) idle += 1;
    }
    if (idle > MAX_IDLE) forgetIdle();
  };
  return {
    admits: (consumers) => free > 0 && consumers.every(({ name, weight }) => (used.get(name) ?? 0) < weight * free),
    acquire: (consumers, amount = 1) => change(consumers, amount),
    release: (consumers, amount = 1) => change(consumers, -amount),
    usage: (consumers) => Math.max(0, ...consumers.map(({ name, weight }) => (used.get(name) ?? 0) / weight)),
  };
}
