/** Breaking changes between two releases of the OpenAPI document. */
import { type Comparison, resolve, schemaChanges } from './schema-changes.ts';
import type { Json } from '../schemas.ts';

/** A change that breaks a client. */
export interface BreakingChange {
  /** The subject of the change: `POST /api/lead/create`, or the name of a schema that several operations share. */
  subject: string;
  sentence: string;
}

interface Releases {
  before: Json;
  after: Json;
}

/** Compares two values of a request or of a response. */
type Compare = (direction: Comparison['direction'], before: unknown, after: unknown, path?: string) => string[];

const objectOf = (value: unknown): Json => (value ?? {}) as Json;

/** Returns the operations of a document by method and path. The names of path variables do not matter to clients. */
function operationsIn(document: Json): Map<string, { subject: string; described: Json }> {
  const paths = Object.entries(objectOf(document['paths']) as Record<string, Record<string, Json>>);
  return new Map(
    paths.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => {
        const subject = `${method.toUpperCase()} ${path}`;
        return [subject.replaceAll(/\{[^{}]+\}/g, '{}'), { subject, described }] as const;
      }),
    ),
  );
}

function accessChanges(before: Json, after: Json): string[] {
  const isOpen = (described: Json) => Array.isArray(described['security']) && described['security'].length === 0;
  const needs = (key: string, what: string) =>
    after[key] !== undefined && after[key] !== before[key] ? [`requires the ${what} ${String(after[key])}`] : [];
  return [
    ...(before['operationId'] === after['operationId']
      ? []
      : [`changed its operationId from ${String(before['operationId'])} to ${String(after['operationId'])}`]),
    ...(isOpen(before) && !isOpen(after) ? ['requires a session'] : []),
    ...needs('x-permission', 'permission'),
    ...needs('x-module', 'module'),
    ...needs('x-key-scope', 'scope'),
  ];
}

/** Returns parameters by location and name. Path parameters are identified by their position in the path. */
function parametersOf(document: Json, described: Json): Map<string, Json> {
  const all = ((described['parameters'] ?? []) as unknown[]).map((one) => resolve(document, one));
  const inPath = all.filter((one) => one['in'] === 'path');
  return new Map(
    all.map((one) => [
      one['in'] === 'path' ? `path ${inPath.indexOf(one) + 1}` : `${String(one['in'])} ${String(one['name'])}`,
      one,
    ]),
  );
}

function parameterChanges({ before, after }: Releases, old: Json, now: Json, compare: Compare): string[] {
  const [earlier, later] = [parametersOf(before, old), parametersOf(after, now)];
  const isNeeded = (key: string) => later.get(key)?.['required'] === true && earlier.get(key)?.['required'] !== true;
  return [
    ...[...earlier.keys()].filter((key) => !later.has(key)).map((key) => `${key} is no longer accepted`),
    ...[...later.keys()].filter(isNeeded).map((key) => `${key} is now required`),
    ...[...earlier].flatMap(([key, one]) => compare('request', one['schema'], later.get(key)?.['schema'], key)),
  ];
}

function contentChanges(direction: Comparison['direction'], old: Json, now: Json, compare: Compare): string[] {
  const [earlier, later] = [objectOf(old['content']), objectOf(now['content'])];
  return Object.entries(earlier).flatMap(([type, content]) =>
    later[type]
      ? compare(direction, objectOf(content)['schema'], objectOf(later[type])['schema'], direction)
      : [`no longer has ${type} in its ${direction}`],
  );
}

function bodyChanges(old: Json, now: Json, compare: Compare): string[] {
  const [before, after] = [old['requestBody'], now['requestBody']].map((body) => body as Json | undefined);
  if (!before) return after?.['required'] ? ['requires a body'] : [];
  if (!after) return ['no longer accepts a body'];
  return [
    ...(after['required'] && !before['required'] ? ['requires a body'] : []),
    ...contentChanges('request', before, after, compare),
  ];
}

function responseChanges({ before, after }: Releases, old: Json, now: Json, compare: Compare): string[] {
  const later = objectOf(now['responses']);
  const successes = Object.entries(objectOf(old['responses'])).filter(([status]) => status.startsWith('2'));
  return successes.flatMap(([status, response]) => {
    if (!later[status]) return [`no longer returns ${status}`];
    const [was, is] = [resolve(before, response), resolve(after, later[status])];
    const headers = Object.keys(objectOf(was['headers'])).filter((name) => !(name in objectOf(is['headers'])));
    return [
      ...headers.map((name) => `no longer returns the header ${name}`),
      ...contentChanges('response', was, is, compare),
    ];
  });
}

/** Returns the breaking changes of the later release: operations in order, then the schemas that they share. */
export function breakingChanges(before: Json, after: Json): BreakingChange[] {
  const releases = { before, after };
  const shared = new Map<string, { direction: Comparison['direction']; name: string }>();
  const comparisonIn = (direction: Comparison['direction']): Comparison => {
    const onNamed = (name: string) => void shared.set(`${direction} ${name}`, { direction, name });
    return { ...releases, direction, onNamed };
  };
  const comparisons = { request: comparisonIn('request'), response: comparisonIn('response') };
  const compare: Compare = (direction, old, now, path) =>
    old && now ? schemaChanges(comparisons[direction], objectOf(old), objectOf(now), path) : [];

  const later = operationsIn(after);
  const ofOperations = [...operationsIn(before)].flatMap(([key, { subject, described: old }]) => {
    const now = later.get(key)?.described;
    const sentences = now
      ? [
          ...accessChanges(old, now),
          ...parameterChanges(releases, old, now, compare),
          ...bodyChanges(old, now, compare),
          ...responseChanges(releases, old, now, compare),
        ]
      : ['was removed'];
    return sentences.map((sentence) => ({ subject, sentence }));
  });
  // The error response that all operations share.
  comparisons.response.onNamed('Fault');
  return [...ofOperations, ...changesOfShared(releases, shared, compare)];
}

/**
 * Returns the changes of shared schemas. Iterating over a map includes entries added in the meantime: a schema that
 * refers to others adds them.
 */
function changesOfShared(
  { before, after }: Releases,
  shared: ReadonlyMap<string, { direction: Comparison['direction']; name: string }>,
  compare: Compare,
): BreakingChange[] {
  const found: BreakingChange[] = [];
  for (const { direction, name } of shared.values()) {
    const $ref = `#/components/schemas/${name}`;
    const sentences = compare(direction, resolve(before, { $ref }), resolve(after, { $ref }), direction);
    found.push(...sentences.map((sentence) => ({ subject: name, sentence })));
  }
  return found;
}
