/** One row of the suite: a program, its ports (as offsets from the suite's first port), and the neighbours it asks. */
export interface ProcessRow {
  name: string;
  entry: string;
  /** What users reach (gateway) or what the gateway reaches (services). */
  http: number;
  operations: number;
  /** Only services have these. */
  service?: {
    directory: string;
    grpc: number;
    calls: string[];
  };
  /** Whose events it takes in; NATS lets it read no others. A test compares it with the consumers that are declared. */
  hears?: string[];
  /** Fills its part of the demo workspaces; run once, in the order of this table, when everything is ready. */
  demo?: string;
}

/** Every process of the suite. A new service is a new row here. */
export const processes: ProcessRow[] = [
  {
    name: 'platform',
    entry: 'services/platform/src/main.ts',
    http: 10,
    operations: 12,
    hears: ['crm'],
    service: { directory: 'services/platform', grpc: 11, calls: [] },
    demo: 'services/platform/src/cli/demo.ts',
  },
  {
    name: 'crm',
    entry: 'services/crm/src/main.ts',
    http: 20,
    operations: 22,
    hears: ['platform', 'inventory', 'finance'],
    service: {
      directory: 'services/crm',
      grpc: 21,
      calls: ['platform', 'inventory', 'finance'],
    },
    demo: 'services/crm/src/cli/demo.ts',
  },
  {
    name: 'inventory',
    entry: 'services/inventory/src/main.ts',
    http: 30,
    operations: 32,
    hears: ['platform', 'crm', 'finance'],
    service: {
      directory: 'services/inventory',
      grpc: 31,
      calls: ['platform', 'finance'],
    },
    demo: 'services/inventory/src/cli/demo.ts',
  },
  {
    name: 'finance',
    entry: 'services/finance/src/main.ts',
    http: 40,
    operations: 42,
    hears: ['platform', 'inventory'],
    service: {
      directory: 'services/finance',
      grpc: 41,
      calls: ['platform', 'inventory'],
    },
    demo: 'services/finance/src/cli/demo.ts',
  },
  {
    name: 'gateway',
    entry: 'gateway/src/main.ts',
    http: 0,
    operations: 1,
    hears: ['platform'],
    // Trading takes all services, so it is done through the gateway, as users do it.
    demo: 'packages/demo/src/cli/trade.ts',
  },
];

/** The ports of the servers that the suite brings along, as offsets too. */
export const SERVER_PORTS = { postgres: 90, nats: 91 };

/** Each further replica of a service listens this much higher. */
export const REPLICA_STEP = 100;
