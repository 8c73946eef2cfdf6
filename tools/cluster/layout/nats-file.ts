/** Configuration of NATS on a machine. */
import { type MachineRow, machineRows, PORTS } from './layout.ts';

/** The addresses of all NATS servers, as `NATS_URL` takes them. */
export const natsUrl: string = machineRows.map(({ address }) => `nats://${address}:${PORTS.nats}`).join(',');

/**
 * Returns the configuration file of NATS.
 * @param folder the data of this machine
 * @param users the users section (natsUsers)
 */
export function natsFile({ name, address }: MachineRow, folder: string, users: string): string {
  const routes = machineRows.map((machine) => `nats://${machine.address}:${PORTS.nats_routes}`);
  return [
    `server_name: ${JSON.stringify(name)}`,
    `listen: "${address}:${PORTS.nats}"`,
    `http: "${address}:${PORTS.nats_monitor}"`,
    `jetstream { store_dir: ${JSON.stringify(`${folder}/nats`)}, sync_interval: always }`,
    `cluster { name: suite, listen: "${address}:${PORTS.nats_routes}", routes: ${JSON.stringify(routes)} }`,
    users,
  ].join('\n');
}
