/** One row of the suite: a program, its ports (as offsets from the suite's first port), and the services it calls. */
export interface ProcessRow {
  name: string;
  entry: string;
  /** HTTP port for users (gateway) or for the gateway (services). */
  http: number;
  operations: number;
  /** Ports that only services have. */
  service?: {
    directory: string;
    grpc: number;
    calls: string[];
  };
  /**
   * Services whose events this process subscribes to. NATS denies access to all others. A test compares the list with
   * the declared consumers.
   */
  subscribesTo?: string[];
  /** True for the process that passes signals about changes on to waiting clients. */
  listensToSignals?: boolean;
  /** The parts of the demo workspaces that this process creates. */
  demo?: readonly DemoPart[];
}

/** A part of the demo workspaces. Created once, concurrently with all independent parts. */
export interface DemoPart {
  name: string;
  /** The program that makes it: it exports `makeDemo`, which receives the environment of its process. */
  program: string;
  /** The parts that must be complete before this one starts. */
  needs: readonly string[];
  /** True if the part takes longer than others. It then starts before other parts that could start. */
  is_long?: boolean;
}

/**
 * A service of the suite. Its name determines the rest. Its folder is `services/<name>`, with `src/main.ts`,
 * `src/<name>.ts` (its declaration) and `src/demo/main.ts` (its part of the demo). `<name>` is also its database and its
 * login there.
 */
interface ServiceRow {
  name: string;
  /** The title of its section in the API docs. */
  title: string;
  /** The first port, as an offset: HTTP, then gRPC, then health and metrics. */
  port: number;
  /** The services that it calls over gRPC. A test compares the list with the declarations. */
  calls: string[];
  /**
   * Services whose events this process subscribes to. NATS denies access to all others. A test compares the list with
   * the declared consumers.
   */
  subscribesTo: string[];
  /** Its part of the demo is among the longest, so it starts before the others. */
  has_long_demo?: boolean;
}

/**
 * The services of the suite, in the order in which they are started and documented. A new service needs a row here, its
 * folder, and its folder in proto/. `npm run generate` adds it to docker-compose.yml.
 */
export const services: readonly ServiceRow[] = [
  {
    name: 'platform',
    title: 'Accounts and workspaces',
    port: 10,
    calls: ['crm', 'inventory', 'finance', 'projects', 'support', 'hr'],
    subscribesTo: ['platform', 'crm', 'finance', 'projects', 'hr'],
  },
  {
    name: 'crm',
    title: 'Leads, deals and sales',
    port: 20,
    calls: ['platform', 'inventory', 'finance', 'projects'],
    subscribesTo: ['platform', 'finance', 'hr'],
  },
  {
    name: 'inventory',
    title: 'Products and stock',
    port: 30,
    calls: ['finance', 'platform', 'crm'],
    subscribesTo: ['platform', 'crm', 'finance'],
  },
  {
    name: 'finance',
    title: 'Invoices, payments and books',
    port: 40,
    calls: ['platform', 'inventory', 'projects', 'crm', 'support', 'hr'],
    subscribesTo: ['platform', 'inventory'],
    // Half a year of books, in one transaction: events of inventory's demo would wait for its lock.
    has_long_demo: true,
  },
  {
    name: 'projects',
    title: 'Projects, tasks and time',
    port: 50,
    calls: ['platform', 'inventory', 'finance', 'crm'],
    subscribesTo: ['platform', 'crm', 'finance', 'hr'],
  },
  {
    name: 'support',
    title: 'Support desk',
    port: 60,
    calls: ['platform', 'finance'],
    subscribesTo: ['platform', 'finance', 'hr'],
  },
  {
    name: 'hr',
    title: 'People and pay',
    port: 70,
    calls: ['platform', 'finance'],
    subscribesTo: ['platform', 'projects', 'finance', 'hr'],
    // Three months of attendance.
    has_long_demo: true,
  },
];

const PLATFORM = 'platform';

const processOf = ({ name, port, calls, subscribesTo, has_long_demo: is_long = false }: ServiceRow): ProcessRow => ({
  name,
  entry: `services/${name}/src/main.ts`,
  http: port,
  operations: port + 2,
  subscribesTo,
  service: { directory: `services/${name}`, grpc: port + 1, calls },
  // The platform part creates the workspaces and their users. The other services write only to their own database. They
  // create copies of users themselves if the platform events have not arrived yet.
  demo: [{ name, program: `services/${name}/src/demo/main.ts`, needs: name === PLATFORM ? [] : [PLATFORM], is_long }],
});

/** The services that the gateway calls over gRPC: it asks platform for the caller. */
export const GATEWAY_CALLS: readonly string[] = [PLATFORM];

/** Every process of the suite: the services and the gateway in front. */
export const processes: ProcessRow[] = [
  ...services.map(processOf),
  {
    name: 'gateway',
    entry: 'gateway/src/main.ts',
    http: 0,
    operations: 1,
    subscribesTo: ['platform'],
    listensToSignals: true,
    // These parts involve several services, so they are created through the gateway, as users would.
    demo: [
      { name: 'trade', program: 'packages/demo/src/cli/trade.ts', needs: ['crm', 'inventory', 'finance', 'projects'] },
      // Pays from an account of its own, and needs no records of the trade part.
      { name: 'payroll', program: 'packages/demo/src/cli/payroll.ts', needs: ['hr', 'finance'] },
    ],
  },
];

/** The ports of the embedded servers, as offsets. */
export const SERVER_PORTS = { postgres: 90, nats: 91 };

/** Port distance between two replicas of a service. */
export const REPLICA_STEP = 100;
