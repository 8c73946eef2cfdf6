/** Writes deploy/helm/suite/files/services.yaml, over which the templates of the chart range, and the version in Chart.yaml. */
import { stringify } from 'yaml';
import { MIGRATION_COMMAND, PREPARE_COMMAND } from '../docker/compose.ts';

/** A service, as the table of the suite describes it. */
interface TableRow {
  name: string;
  title: string;
  calls: readonly string[];
  subscribesTo: readonly string[];
}

/** A process of the chart. */
export interface ChartProcess {
  name: string;
  title: string;
  /** Ports of its pods by name. */
  ports: Record<string, number>;
  /** Services to which it forwards requests of users. */
  forwards: readonly string[];
  /** Services that it calls over gRPC. */
  calls: readonly string[];
  /** Services whose events it reads from NATS. */
  subscribesTo: readonly string[];
  /** Servers outside the suite: `smtp`, or `https` at public addresses. */
  outbound: readonly string[];
  /** Name of its database. The gateway has none. */
  database?: string;
  /** Program and arguments that migrate its database. */
  migrate?: readonly string[];
}

/** Contents of services.yaml. */
export interface ServicesFile {
  /** The program that creates databases and roles, and the process whose image contains it. */
  databases: { image: string; command: readonly string[] };
  processes: readonly ChartProcess[];
}

/** Every pod has its own network, so all services use the same ports. */
const PORTS = { http: 8000, grpc: 8001, operations: 9000 };
const GATEWAY_PORTS = { http: 4000, operations: 9000 };

/** Packages that a service depends on if it opens connections to servers outside the suite. */
const OUTBOUND: Readonly<Record<string, string>> = { '@suite/mail-queue': 'smtp', '@suite/outbound-http': 'https' };

/**
 * Returns the text of services.yaml.
 * @param table the services of the suite
 * @param gateway the row of the gateway, and the services that it calls over gRPC
 * @param dependenciesOf the names of the packages that a service depends on
 */
export function servicesFile(
  table: readonly TableRow[],
  gateway: Pick<TableRow, 'name' | 'calls' | 'subscribesTo'>,
  dependenciesOf: (service: string) => readonly string[],
): string {
  const services = table.map(({ name, title, calls, subscribesTo }) => ({
    name,
    title,
    ports: PORTS,
    forwards: [],
    calls,
    subscribesTo,
    outbound: dependenciesOf(name).flatMap((dependency) => OUTBOUND[dependency] ?? []),
    database: name,
    migrate: [...MIGRATION_COMMAND],
  }));
  const { name, calls, subscribesTo } = gateway;
  const forwards = table.map((row) => row.name);
  const front = { name, title: 'API gateway', ports: GATEWAY_PORTS, forwards, calls, subscribesTo, outbound: [] };
  const contents: ServicesFile = {
    databases: { image: table[0]!.name, command: [...PREPARE_COMMAND, '--databases'] },
    processes: [...services, front],
  };
  const comment = '# Written by `npm run generate` from deploy/local/src/processes.ts. Do not edit.\n';
  return comment + stringify(contents, { aliasDuplicateObjects: false, lineWidth: 0 });
}

/** Returns Chart.yaml with the version of the suite, which is also the default of the image tag. */
export const chartFile = (text: string, version: string): string =>
  text.replaceAll(/^(version|appVersion): .*$/gm, (_, field: string) =>
    field === 'version' ? `version: ${version}` : `appVersion: "${version}"`,
  );
