import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Records that an operation was answered. */
export type Observe = (operation: string, status: number, duration_ms: number) => void;

export interface Metrics {
  registry: Registry;
  observe: Observe;
}

/** The figures that a process shows on its operations port. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'request_duration_seconds',
    help: 'How long requests took, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return {
    registry,
    observe: (operation, status, duration_ms) => durations.observe({ operation, status }, duration_ms / 1000),
  };
}
