/** Configuration of HAProxy: one address for the primary, for the API, and for each service. */
import { type Balanced, balanced, FRONT, machineRows, PORTS } from './layout.ts';

/**
 * Connections to a server that is down are not closed: a Service of Kubernetes does not close them either. A connection
 * that the new server refuses is sent to the next one.
 */
const DEFAULTS = `
global
  maxconn 8000
  user haproxy
  group haproxy

defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 2s
  retries 3
  option redispatch 1
  default-server inter 500ms fastinter 500ms downinter 250ms fall 3 rise 1
`;

const listen = (name: string, port: number, path: string, lines: readonly string[]): string =>
  [
    `listen ${name}`,
    `  bind 127.0.0.1:${port}`,
    `  option httpchk GET ${path}`,
    '  http-check expect status 200',
    ...lines.map((line) => `  ${line}`),
    '',
  ].join('\n');

const replicas = (kind: string, { name, port, replicas: all }: Balanced, lines: readonly string[] = []): string =>
  listen(`${name}-${kind}`, port, '/health/ready', [
    ...lines,
    ...all.map((one) => `server ${one.name} 127.0.0.1:${one.port} check inter 1s port ${one.operations_port}`),
  ]);

/** Returns the gRPC ports of a service. The checks of its HTTP ports decide. */
const grpc = ({ name, port, replicas: all }: Balanced): string =>
  [
    `listen ${name}-grpc`,
    `  bind 127.0.0.1:${port}`,
    ...all.map((one) => `  server ${one.name} 127.0.0.1:${one.port} track ${name}-http/${one.name}`),
    '',
  ].join('\n');

/** Returns the configuration file of HAProxy. */
export function haproxyFile(): string {
  const primary = machineRows.map(
    ({ name, address }) => `server ${name} ${address}:${PORTS.postgres} check port ${PORTS.patroni}`,
  );
  return [
    DEFAULTS,
    listen('primary', FRONT.primary, '/primary', primary),
    replicas('http', balanced.api, ['mode http', 'option forwardfor', 'timeout server 130s']),
    ...balanced.http.map((one) => replicas('http', one)),
    ...balanced.grpc.map(grpc),
  ].join('\n');
}
