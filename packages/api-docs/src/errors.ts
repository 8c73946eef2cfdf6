import { docsUrl, everyFault, type FaultMaker, type Operation } from '@suite/chassis/declarations';

/** An error code with its messages and the operations that declare it. */
interface Entry {
  status: number;
  texts: Set<string>;
  operations: string[];
}

type Described = Pick<FaultMaker, 'status' | 'code' | 'text'>;

/** Returns the faults of a service when another service is unavailable or slow. */
const absences = (services: readonly string[]): Described[] =>
  services.flatMap((name) => [
    { status: 503, code: `${name}_unavailable`, text: `The ${name} service is unavailable. Try again shortly.` },
    { status: 504, code: `${name}_timeout`, text: `The ${name} service took too long. Try again.` },
  ]);

function entriesOf(
  operations: ReadonlyMap<string, Operation>,
  services: readonly string[],
  gateway: readonly Described[],
): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const add = ({ status, code, text }: Described, operation?: string) => {
    const entry = entries.get(code) ?? { status, texts: new Set(), operations: [] };
    entries.set(code, entry);
    entry.texts.add(text);
    if (operation) entry.operations.push(operation);
  };
  for (const fault of [...everyFault, ...gateway, ...absences(services)]) add(fault);
  for (const { method, path, faults = [] } of operations.values()) {
    for (const fault of faults) add(fault, `${method} ${path}`);
  }
  return new Map([...entries].toSorted(([one], [other]) => one.localeCompare(other)));
}

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign] ?? '');

function section([code, { status, texts, operations }]: [string, Entry]): string {
  const meanings = [...texts].map((text) => `    <p>${escape(text)}</p>`);
  const where = operations.length
    ? [
        '    <details>',
        `      <summary>Returned by ${operations.length === 1 ? 'one operation' : `${operations.length} operations`}</summary>`,
        `      <ul>${operations.map((operation) => `<li><code>${escape(operation)}</code></li>`).join('')}</ul>`,
        '    </details>',
      ]
    : [];
  return [
    `  <section id="${code}">`,
    `    <h2><a href="${docsUrl(code)}">${code}</a> <span>${status}</span></h2>`,
    ...meanings,
    ...where,
    '  </section>',
  ].join('\n');
}

const STYLE = `
  body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1b1b1b; background: #fff }
  a { color: #0b4f9e }
  h2 { margin: 2rem 0 0; font-size: 1.1rem; font-family: ui-monospace, monospace }
  h2 span { color: #555; font-weight: normal }
  section:target { outline: 2px solid #0b4f9e; outline-offset: .5rem }
  p { margin: .25rem 0 }
  @media (prefers-color-scheme: dark) { body { color: #eee; background: #161616 } a { color: #8ec5ff } h2 span { color: #bbb } }
`;

/** Returns `docs/errors.html`: every error code of responses, each with an anchor that `docs_url` links to. */
export function errorsPage(
  operations: ReadonlyMap<string, Operation>,
  services: readonly string[],
  gateway: readonly Described[],
): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Error codes</title>
  <link rel="icon" href="data:,">
  <style>${STYLE}  </style>
</head>
<body>
<main>
  <h1>Error codes</h1>
  <p>Every error is <code>{ message, code, errors?, details?, request_id, docs_url }</code>. Show the message to users, and decide by the code, which
  is stable. <code>errors</code> contains messages by field. <code>Accept: application/problem+json</code> adds the members of RFC 9457.
  <a href="/docs">All operations</a></p>
${[...entriesOf(operations, services, gateway)].map(section).join('\n')}
</main>
</body>
</html>
`;
}
