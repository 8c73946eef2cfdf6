/** Arguments of etcd on a machine. */
import { type MachineRow, machineRows, PORTS } from './layout.ts';

const peerUrl = ({ address }: MachineRow): string => `http://${address}:${PORTS.etcd_peers}`;
const clientUrl = ({ address }: MachineRow): string => `http://${address}:${PORTS.etcd}`;

/** Returns the arguments of etcd. The same arguments start a new member and a restarted one. */
export function etcdArguments(machine: MachineRow, folder: string): string[] {
  const options = {
    name: machine.name,
    'data-dir': `${folder}/etcd`,
    'listen-client-urls': clientUrl(machine),
    'advertise-client-urls': clientUrl(machine),
    'listen-peer-urls': peerUrl(machine),
    'initial-advertise-peer-urls': peerUrl(machine),
    'initial-cluster': machineRows.map((row) => `${row.name}=${peerUrl(row)}`).join(','),
    'initial-cluster-state': 'new',
  };
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
}
