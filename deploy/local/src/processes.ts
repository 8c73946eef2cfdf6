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
  /** Its parts of the demo workspaces. */
  demo?: readonly DemoPart[];
}

/** A part of the demo workspaces. It is made once, beside all others that do not wait for it. */
export interface DemoPart {
  name: string;
  /** The program that makes it: it exports `makeDemo`, which receives the environment of its process. */
  program: string;
  /** The parts that have to be there before it begins. */
  needs: readonly string[];
  /** Whether it takes longer than others, and starts before other parts that could start. */
  is_long?: boolean;
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
  /** Its part of the demo is among the longest, so it starts before the others. */
  has_long_demo?: boolean;
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
    hears: ['platform', 'crm', 'finance', 'projects', 'hr'],
  },
  {
    name: 'crm',
    title: 'Leads, deals and sales',
    port: 20,
    calls: ['platform', 'inventory', 'finance', 'projects'],
    hears: ['platform', 'finance', 'hr'],
  },
  {
    name: 'inventory',
    title: 'Products and stock',
    port: 30,
    calls: ['finance', 'platform', 'crm'],
    hears: ['platform', 'crm', 'finance'],
  },
  {
    name: 'finance',
    title: 'Invoices, payments and books',
    port: 40,
    calls: ['platform', 'inventory', 'projects', 'crm', 'support', 'hr'],
    hears: ['platform', 'inventory'],
    // Half a year of books, in one transaction: events of inventory's demo would wait for its lock.
    has_long_demo: true,
  },
  {
    name: 'projects',
    title: 'Projects, tasks and time',
    port: 50,
    calls: ['platform', 'inventory', 'finance', 'crm'],
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
    // Three months of attendance.
    has_long_demo: true,
  },
];

const PLATFORM = 'platform';

const processOf = ({ name, port, calls, hears, has_long_demo: is_long = false }: ServiceRow): ProcessRow => ({
  name,
  entry: `services/${name}/src/main.ts`,
  http: port,
  operations: port + 2,
  hears,
  service: { directory: `services/${name}`, grpc: port + 1, calls },
  // Platform's names the workspaces and their users. The others write to their own database alone, and copies of users they
  // make themselves where the events of platform have not come yet.
  demo: [{ name, program: `services/${name}/src/cli/demo.ts`, needs: name === PLATFORM ? [] : [PLATFORM], is_long }],
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
    // Several services take part in these, so they are made through the gateway, as users make them.
    demo: [
      { name: 'trade', program: 'packages/demo/src/cli/trade.ts', needs: ['crm', 'inventory', 'finance', 'projects'] },
      // It pays from an account of its own, and nothing of the trade.
      { name: 'payroll', program: 'packages/demo/src/cli/payroll.ts', needs: ['hr', 'finance'] },
    ],
  },
];

/** The ports of the servers that the suite brings along, as offsets too. */
export const SERVER_PORTS = { postgres: 90, nats: 91 };

/** Each further replica of a service listens this much higher. */
export const REPLICA_STEP = 100;
