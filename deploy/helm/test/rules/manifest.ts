/** Objects that the chart creates, and their parts. */
import type { V1Container, V1PodSpec } from '@kubernetes/client-node';

/** Labels by their keys. */
export type Labels = Record<string, string>;

/** An object of Kubernetes. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels; annotations?: Record<string, string> };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
  [field: string]: unknown;
}

/** Template of pods, with the object that contains it. */
export interface Pods {
  owner: Manifest;
  labels: Labels;
  spec: V1PodSpec;
}

/** Returns `Deployment suite-crm`, the subject of the sentences about an object. */
export const titleOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;

/** Returns the objects of a kind. */
export const ofKind = (objects: readonly Manifest[], kind: string): Manifest[] =>
  objects.filter((one) => one.kind === kind);

/** Returns the templates of all pods. */
export const podsOf = (objects: readonly Manifest[]): Pods[] =>
  objects.flatMap((owner) => {
    const template = owner.spec?.['template'] as { metadata?: { labels?: Labels }; spec: V1PodSpec } | undefined;
    return template ? [{ owner, labels: template.metadata?.labels ?? {}, spec: template.spec }] : [];
  });

/** Returns the containers of pods, including init containers. */
export const containersOf = ({ initContainers = [], containers }: V1PodSpec): V1Container[] => [
  ...initContainers,
  ...containers,
];

/** Checks whether a selector selects an object with these labels. */
export const selects = (selector: Labels | undefined, labels: Labels): boolean =>
  Object.entries(selector ?? {}).every(([key, value]) => labels[key] === value);
