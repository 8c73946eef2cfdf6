import { generateKeyPairSync } from 'node:crypto';
import { type Keys, makeKeys } from '@suite/chassis/gateway';

const pairs = new Map(
  ['gateway', 'platform', 'crm'].map((name) => [name, generateKeyPairSync('ec', { namedCurve: 'P-256' })]),
);
const trusted = new Map([...pairs].map(([name, { publicKey }]) => [name, [publicKey]]));

/** Returns the keys of a process, shared by all tests of a file. */
export const keysOf = (name: string): Keys => makeKeys(name, pairs.get(name)!.privateKey, trusted);
