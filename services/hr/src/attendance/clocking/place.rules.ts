/** Allowed places for clocking in: areas on the map, and networks. */
import { BlockList, isIP } from 'node:net';
import { fault } from '@suite/chassis/faults';

export const OutsideGeofence = fault(
  422,
  'outside_geofence',
  'You are outside the area where employees can clock in. Go there, and try again.',
);
export const AddressNotAllowed = fault(
  422,
  'address_not_allowed',
  'You cannot clock in from this network. Use a network of your company.',
);

/** Position reported by a device, in degrees. */
export interface GeoPosition {
  lat: number;
  lng: number;
  accuracy_m?: number | undefined;
}

/** Workspace settings for clock-in locations. */
export interface ClockingPlaces {
  geofences: readonly { lat: number; lng: number; radius_m: number }[];
  clock_addresses: readonly string[];
}

const EARTH_M = 6_371_000;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Returns the distance between two positions on a sphere, in metres. */
export function metresBetween(one: GeoPosition, other: GeoPosition): number {
  const [a, b] = [radians(one.lat), radians(other.lat)];
  const height = Math.sin((b - a) / 2) ** 2;
  const width = Math.cos(a) * Math.cos(b) * Math.sin(radians(other.lng - one.lng) / 2) ** 2;
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(height + width)));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function isAmong(address: string, networks: readonly string[]): boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', prefix] = network.split('/');
    if (prefix === undefined) list.addAddress(base, familyOf(base));
    else list.addSubnet(base, Number(prefix), familyOf(base));
  }
  // A dual-stack server writes 203.0.113.7 as ::ffff:203.0.113.7.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(plain) > 0 && list.check(plain, familyOf(plain));
}

/**
 * Checks that an employee punches at a place that the workspace allows. Chosen: work from home is allowed anywhere, and
 * the day shows it.
 * @throws OutsideGeofence, AddressNotAllowed
 */
export function assertPlace(
  { geofences, clock_addresses }: ClockingPlaces,
  { geo, address, work_from_home }: { geo: GeoPosition | undefined; address: string; work_from_home: boolean },
): void {
  if (work_from_home) return;
  if (clock_addresses.length > 0 && !isAmong(address, clock_addresses)) throw AddressNotAllowed({ field: 'address' });
  if (geofences.length === 0) return;
  // An inaccurate position is tolerated by its accuracy, up to 100 metres.
  const slack = Math.min(geo?.accuracy_m ?? 0, 100);
  const isNear = geo && geofences.some((fence) => metresBetween(geo, fence) <= fence.radius_m + slack);
  if (!isNear) throw OutsideGeofence({ field: 'geo' });
}
