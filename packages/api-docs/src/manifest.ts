import {
  type DeclaredOperations,
  performersOf,
  type EventMessage,
  eventName,
  type LifecycleDiagram,
  openingPermissions,
  type Operation,
  operationsOf,
  type Service,
} from '@suite/chassis/declarations';

/** Returns the access rule of an operation, in a word. */
const access = ({ access: needed }: Operation): string =>
  needed.kind === 'permission'
    ? [openingPermissions({ access: needed }).toReversed().join('|'), ...(needed.also ? [needed.also] : [])].join('+')
    : needed.kind;

/** Returns `docs/operations.txt`: one operation per line, by service and noun. */
export function operationsText(services: readonly DeclaredOperations[]): string {
  const lines = services.flatMap((service) => {
    const operations = [...operationsOf(service)].toSorted(([a], [b]) => a.localeCompare(b));
    const widths = [0, 1, 2].map((column) =>
      Math.max(...operations.map(([id, operation]) => cells(id, operation)[column]!.length)),
    );
    const rows = operations.map(([id, operation]) =>
      cells(id, operation)
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
    return [`${service.name} (${operations.length})`, '', ...rows, ''];
  });
  return `Written by "npm run generate". Operation, route, what it needs, what it does.\n\n${lines.join('\n')}`;
}

const cells = (id: string, operation: Operation): string[] => [
  id,
  `${operation.method.padEnd(6)} ${operation.path}`,
  access(operation),
  operation.summary,
];

/** Returns `docs/events.txt`: the events of every service and their consumers. */
export function eventsText(
  services: readonly Service[],
  announced: ReadonlyMap<string, readonly EventMessage<unknown>[]>,
): string {
  const reactions = services.flatMap(({ consumers = [] }) =>
    consumers.map(({ name, event }) => [eventName(event), name] as const),
  );
  const lines = [...announced].flatMap(([service, messages]) => [
    service,
    '',
    ...messages.flatMap((message) => {
      const name = eventName(message);
      return [
        `${name}  (${message.$type})`,
        ...reactions.filter(([of]) => of === name).map(([, consumer]) => `    → ${consumer}`),
      ];
    }),
    '',
  ]);
  return `Written by "npm run generate". An event, its message, and the consumers that react to it.\n\n${lines.join('\n')}`;
}

/**
 * Returns `docs/methods.txt`: every method between services, and where it is called.
 * @param callers the places that call a method of a service, by `service.method`
 */
export function methodsText(services: readonly Service[], callers: ReadonlyMap<string, readonly string[]>): string {
  const lines = services.flatMap(({ name, rpc = [] }) => {
    const methods = rpc.flatMap(({ declared = {} }) => Object.entries(declared));
    if (methods.length === 0) return [];
    const described = methods.flatMap(([id, { summary, access, only, idempotent, dry_run, undoes, faults }]) => [
      `${name}.${id}: ${summary}`,
      `    for ${[access, ...(only ? [`from ${only.join(', ')} only`] : []), ...(idempotent ? ['once for a key'] : []), ...(dry_run ? ['with dry run'] : [])].join(', ')}`,
      ...(undoes ? [`    undoes: ${undoes.name}`] : []),
      ...(faults.length > 0 ? [`    faults: ${faults.map(({ code }) => code).join(', ')}`] : []),
      ...(callers.get(`${name}.${id}`) ?? []).map((place) => `    ← ${place}`),
    ]);
    return [`${name} (${methods.length})`, '', ...described, ''];
  });
  return `Written by "npm run generate". Each method with its callers, its faults and the files that call it.\n\n${lines.join('\n')}`;
}

/** Draws a lifecycle. Derived states are in a box that names their source. */
function drawing({ table, derived }: LifecycleDiagram): string {
  const arrows = Object.entries(table).flatMap(([from, verbs]) =>
    Object.entries(verbs).map(([verb, to]) => `    ${from} --> ${to}: ${verb}`),
  );
  const box = derived && [
    `    state "follows: ${derived.from}" as derived {`,
    ...derived.among.map((state) => `        ${state}`),
    '    }',
  ];
  return ['```mermaid', 'stateDiagram-v2', ...(box ?? []), ...arrows, '```'].join('\n');
}

/** Returns the actions of a lifecycle, with their callers and states. */
function doers({ noun, actions }: LifecycleDiagram, done: ReadonlyMap<string, readonly string[]>): string {
  const rows = [...actions].map(([name, { permission, also, by, in: states }]) => {
    const takes = [permission, also].flatMap((one) => (one ? [`\`${one}\``] : [])).join(', ');
    const makers = [...(done.get(`${noun}.${name}`) ?? []), ...by].map((maker) => `\`${maker}\``);
    return `| ${name} | ${states.join(', ')} | ${takes} | ${makers.join(', ')} |`;
  });
  return ['| Action | Status | Permission | Operation |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** Returns true for records with states, and not only with actions. */
const hasStates = ({ table, derived }: LifecycleDiagram): boolean =>
  derived !== undefined || Object.values(table).some((verbs) => Object.keys(verbs).length > 0);

/** Returns `docs/states.md`: every lifecycle as a diagram, with its actions. */
export function statesText(services: readonly Service[]): string {
  const lives = services.flatMap((service) => {
    const done = performersOf(operationsOf(service));
    return (service.lifecycles ?? []).map(
      (life) =>
        `${[`## ${life.noun} (${service.name})`, ...(hasStates(life) ? [drawing(life)] : []), doers(life, done)].join('\n\n')}\n`,
    );
  });
  return `# States\n\nWritten by \`npm run generate\` from the lifecycle tables. Transitions that are not shown are rejected with 409 \`invalid_transition\`.\n\n${lives.join('\n')}`;
}

/** The routes of the gateway: the service that serves each path, and the methods of the path. */
export interface Routes {
  /** The service by the first path segment after /api (the first two below v1). */
  routes: Record<string, string>;
  operations: {
    method: string;
    path: string;
    service: string;
    access: 'permission' | 'session' | 'instance' | 'public';
    bearer?: true;
    link?: true;
    signed?: true;
    sites?: true;
    limit?: string;
  }[];
}

/** Returns `gateway/src/routes.json`. @throws if two services declare the same paths */
export function routes(services: readonly DeclaredOperations[]): Routes {
  const found: Routes = { routes: {}, operations: [] };
  for (const service of services) {
    for (const operation of operationsOf(service).values()) {
      const [, , first = '', second = ''] = operation.path.split('/');
      const segment = first === 'v1' ? `${first}/${second}` : first;
      const owner = (found.routes[segment] ??= service.name);
      if (owner !== service.name) throw new Error(`/api/${segment} is claimed by ${owner} and by ${service.name}.`);
      found.operations.push({
        method: operation.method,
        path: operation.path,
        service: service.name,
        access: operation.access.kind,
        ...(operation.access.kind === 'public' && operation.access.bearer && { bearer: true }),
        ...(operation.access.kind === 'public' && operation.access.link && { link: true }),
        ...(operation.access.kind === 'public' && operation.access.signed && { signed: true }),
        ...(operation.access.kind === 'public' && operation.access.sites && { sites: true }),
        ...(operation.access.kind === 'public' && operation.access.limit && { limit: operation.access.limit }),
      });
    }
  }
  const order = (a: { path: string; method: string }, b: { path: string; method: string }) =>
    a.path.localeCompare(b.path) || a.method.localeCompare(b.method);
  return {
    routes: Object.fromEntries(Object.entries(found.routes).toSorted(([a], [b]) => a.localeCompare(b))),
    operations: found.operations.toSorted(order),
  };
}
