/** Architecture diagram, drawn from the table of services. */

/** A row of the table: the services that a service calls, and the services whose events it subscribes to. */
export interface DrawnService {
  name: string;
  title: string;
  calls: readonly string[];
  subscribesTo: readonly string[];
}

/** Returns a Mermaid diagram: solid arrows are gRPC calls, dotted arrows are subscriptions to events. */
export function architectureDiagram(services: readonly DrawnService[]): string {
  const others = (name: string, names: readonly string[]) => names.filter((other) => other !== name).join(' & ');
  const boxes = services.map(({ name, title }) => `${name}["${name}<br/><small>${title}</small>"]`);
  return [
    '```mermaid',
    'flowchart TB',
    '  clients(["Front ends, partners"]) -->|HTTPS| gateway["gateway"]',
    `  gateway -->|HTTP| ${boxes.join(' & ')}`,
    ...services.flatMap(({ name, calls }) => (others(name, calls) ? [`  ${name} --> ${others(name, calls)}`] : [])),
    ...services.flatMap(({ name, subscribesTo }) =>
      others(name, subscribesTo) ? [`  ${others(name, subscribesTo)} -.-> ${name}`] : [],
    ),
    '```',
    '',
    'Solid arrows between services are gRPC calls; dotted arrows are events, from their source to their subscribers.',
  ].join('\n');
}

/** A Markdown table of the areas of each service, lowest first. */
export function areasTable(services: readonly { name: string; areas: readonly string[] }[]): string {
  const rows = services.map(({ name, areas }) => `| ${name} | ${areas.join(', ')} |`);
  return ['| Service | Areas, lowest first |', '|---|---|', ...rows].join('\n');
}

/** Replaces the text between the markers `<!-- name -->` and `<!-- /name -->`. @throws if a marker is missing */
export function withSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The markers ${begin} … ${end} are missing.`);
  return `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`;
}
