/** One row of the suite: a program, its ports (as offsets from the suite's first port), and the neighbours it asks. */
export interface ProcessRow {
  name: string;
  entry: string;
  /** The port that users reach (gateway) or that the gateway reaches (services). */
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

/**
 * A service of the suite. All else follows from its name: `services/<name>` is its folder, with `src/main.ts`, `src/<name>.ts`
 * (what it declares) and `src/cli/demo.ts` (its part of the demo); `<name>` is its database and its login there.
 */
interface ServiceRow {
  name: string;
  /** The title of its part of the reference. */
  title: string;
  /** Its first port, as an offset: HTTP, then gRPC, then health and metrics. */
  port: number;
  /** Whom it asks over gRPC. A test compares it with what is declared. */
  calls: string[];
  /** Whose events it takes in; NATS lets it read no others. A test compares it with the consumers that are declared. */
  hears: string[];
}

/**
 * The table of the suite: every service, in the order in which they are started and documented. A new service is a row here,
 * its folder, its folder in proto/, and its block in docker-compose.yml.
 */
export const services: readonly ServiceRow[] = [
  {
    name: 'platform',
    title: 'Accounts and workspaces',
    port: 10,
    calls: ['crm', 'finance', 'projects'],
    hears: ['platform', 'crm', 'projects', 'hr'],
  },
  {
    name: 'crm',
    title: 'Leads, deals and sales',
    port: 20,
    calls: ['platform', 'inventory', 'finance'],
    hears: ['platform', 'finance', 'hr'],
  },
  {
    name: 'inventory',
    title: 'Products and stock',
    port: 30,
    calls: ['finance', 'platform'],
    hears: ['platform', 'crm', 'finance'],
  },
  {
    name: 'finance',
    title: 'Invoices, payments and books',
    port: 40,
    calls: ['platform', 'inventory', 'projects'],
    hears: ['platform', 'inventory'],
  },
  {
    name: 'projects',
    title: 'Projects, tasks and time',
    port: 50,
    calls: ['platform', 'inventory', 'finance'],
    hears: ['platform', 'crm', 'finance', 'hr'],
  },
  {
    name: 'support',
    title: 'Support desk',
    port: 60,
    calls: ['platform', 'finance'],
    hears: ['platform', 'finance', 'hr'],
  },
  {
    name: 'hr',
    title: 'People and pay',
    port: 70,
    calls: ['platform', 'finance'],
    hears: ['platform', 'projects', 'finance', 'hr'],
  },
];

const processOf = ({ name, port, calls, hears }: ServiceRow): ProcessRow => ({
  name,
  entry: `services/${name}/src/main.ts`,
  http: port,
  operations: port + 2,
  hears,
  service: { directory: `services/${name}`, grpc: port + 1, calls },
  demo: `services/${name}/src/cli/demo.ts`,
});

/** Every process of the suite: the services, and the gateway in front of them. */
export const processes: ProcessRow[] = [
  ...services.map(processOf),
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
