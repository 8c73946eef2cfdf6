/** Checks each object as strictly as a server: types and required fields, and fields that do not exist. */
import { ObjectSerializer } from '@kubernetes/client-node/dist/gen/models/ObjectSerializer.js';
import { customFields } from './custom-fields.ts';
import { type Manifest, titleOf } from './manifest.ts';

/** The package with the types of each API group that Kubernetes itself does not have. */
const PACKAGES: Readonly<Record<string, string>> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'external-secrets.io': '@kubernetes-models/external-secrets',
};
/** Groups without a package: their fields are in custom-fields.ts only. */
const WITHOUT_PACKAGE = ['postgresql.cnpg.io', 'barmancloud.cnpg.io'];

type Model = new (contents: object) => { validate(): unknown };

const isCore = (group: string): boolean => !(group in PACKAGES) && !WITHOUT_PACKAGE.includes(group);

/** Returns the wrong types and missing fields of an object. */
async function wrongFields(object: Manifest, group: string): Promise<string[]> {
  if (WITHOUT_PACKAGE.includes(group)) return [];
  const path = `${PACKAGES[group] ?? 'kubernetes-models'}/${object.apiVersion}/${object.kind}`;
  const module = (await import(path).catch(() => ({}))) as Record<string, Model>;
  const Kind = module[object.kind];
  if (!Kind) return [`${titleOf(object)}: ${object.apiVersion} has no such kind.`];
  try {
    await new Kind(object).validate();
    return [];
  } catch (error) {
    return [`${titleOf(object)}: ${(error as Error).message}`];
  }
}

/** Returns the fields of `whole` that `known` lacks, by their paths. */
function lost(whole: unknown, known: unknown, path: string): string[] {
  if (typeof whole !== 'object' || whole === null) return [];
  const left = (known ?? {}) as Record<string, unknown>;
  return Object.entries(whole).flatMap(([key, value]) =>
    left[key] === undefined ? [`${path}.${key}`] : lost(value, left[key], `${path}.${key}`),
  );
}

/** Returns the fields that the types of the client do not have: it drops them. */
function unknownFields(object: Manifest): string[] {
  const version = object.apiVersion.split('/').at(-1) ?? '';
  const type = `${version[0]?.toUpperCase()}${version.slice(1)}${object.kind}`;
  const copy = ObjectSerializer.serialize(
    ObjectSerializer.deserialize(structuredClone(object), type, ''),
    type,
    '',
  ) as unknown;
  return lost(object, copy, '').map((path) => `${titleOf(object)}: the field ${path.slice(1)} does not exist.`);
}

/** Returns the violations of the types of Kubernetes and of the custom resources. */
export async function strictFaults(objects: readonly Manifest[]): Promise<string[]> {
  const faults: string[] = [];
  for (const object of objects) {
    const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0]! : '';
    faults.push(
      ...(await wrongFields(object, group)),
      ...(isCore(group) ? unknownFields(object) : customFields(object)),
    );
  }
  return faults;
}
