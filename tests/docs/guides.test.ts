/** Checks the guides at `/docs/guides`: their links, and what their examples send. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

interface Parameter {
  $ref?: string;
  in: string;
  name: string;
}
interface Schema {
  $ref?: string;
  properties?: Record<string, unknown>;
}
interface DescribedOperation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** The parameter of the example of an unknown parameter. */
const UNKNOWN = 'colour';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(`${root}${name}`, 'utf8');
const document = JSON.parse(read('docs/openapi.json')) as {
  info: { description: string };
  paths: Record<string, Record<string, DescribedOperation>>;
};
const guides = globSync('docs/guides/*.html', { cwd: root }).map((file) => ({
  name: basename(file, '.html'),
  html: read(file),
}));

const resolved = <T extends { $ref?: string }>(value: T): T =>
  value.$ref
    ? (value.$ref
        .split('/')
        .slice(1)
        .reduce((part, key) => (part as Record<string, unknown>)[key], document as unknown) as T)
    : value;

const unescapeHtml = (html: string) =>
  html.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"');

/** A request of an example. */
interface Sent {
  method: string;
  path: string;
  query: string[];
  fields: string[];
}

/** Returns the requests of a guide's examples, read from their curl commands. */
function requestsOf(html: string): Sent[] {
  const examples = [...html.matchAll(/<pre>(.*?)<\/pre>/gs)].map(([, text = '']) => unescapeHtml(text));
  const commands = examples.flatMap((text) => text.replaceAll('\\\n', ' ').split(/\n|\bcurl\b/));
  return commands.flatMap((command) => {
    const [, path = '', query = ''] = /\$url(\/api\/[^\s"?]*)\??([^\s"]*)/.exec(command) ?? [];
    if (path === '') return [];
    const body = /-d ['"](\{.*?\})['"]/.exec(command)?.[1]?.replaceAll('\\"', '"') ?? '{}';
    const forms = [...command.matchAll(/-F (\w+)=/g)].map(([, field = '']) => field);
    return {
      method: /-X POST| -d | -F /.test(command) ? 'post' : 'get',
      path,
      query: query.split('&').flatMap((part) => (part === '' ? [] : [part.split('=')[0]!])),
      fields: [...Object.keys(JSON.parse(body) as object), ...forms],
    };
  });
}

/** Returns the operation of a request. Variables such as `$lead` match path parameters. */
function operationOf({ method, path }: Sent): DescribedOperation | undefined {
  const isSame = (template: string) => {
    const [segments, parts] = [path.split('/'), template.split('/')];
    return (
      segments.length === parts.length &&
      parts.every((part, at) => part === segments[at] || (part.startsWith('{') && segments[at]!.startsWith('$')))
    );
  };
  const found = Object.entries(document.paths).find(([template, methods]) => isSame(template) && method in methods);
  return found?.[1][method];
}

/** Returns the parameters and fields of a request that its operation does not have. */
function unknownIn(sent: Sent): string[] {
  const operation = operationOf(sent);
  if (!operation) return [`${sent.method} ${sent.path}`];
  const parameters = (operation.parameters ?? []).map(resolved).map(({ name }) => name);
  const bodies = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => resolved(schema));
  const fields = bodies.flatMap(({ properties = {} }) => Object.keys(properties));
  return [
    ...sent.query.filter((name) => !parameters.includes(name) && name !== UNKNOWN),
    ...sent.fields.filter((name) => !fields.includes(name)),
  ].map((name) => `${sent.method} ${sent.path}: ${name}`);
}

test('the introduction of the API docs links to each guide and to the error codes', () => {
  expect(guides.length).toBeGreaterThanOrEqual(7);
  const paths = [...guides.map(({ name }) => `/docs/guides/${name}`), '/docs/errors'];
  expect(paths.filter((path) => !document.info.description.includes(`](${path})`))).toEqual([]);
});

describe.each(guides)('the guide $name', ({ html }) => {
  test('links to all other guides and only to existing pages', () => {
    const links = [...html.matchAll(/href="(\/[^"#]*)/g)].map(([, link = '']) => link);
    const pages = ['/docs', '/docs/errors', ...guides.map(({ name }) => `/docs/guides/${name}`)];
    expect(pages.filter((page) => !links.includes(page))).toEqual([]);
    expect(links.filter((link) => !pages.includes(link))).toEqual([]);
  });

  test('names only operations and error codes that exist', () => {
    // The generator links every name that exists.
    expect(html).not.toMatch(/class="error"|undefined/);
    const links = [...html.matchAll(/href="\/docs\/errors#(\w+)"/g)].map(([, code]) => code);
    const catalogue = read('docs/errors.html');
    expect(links.filter((code) => !catalogue.includes(`<section id="${code}">`))).toEqual([]);
    expect([...html.matchAll(/(?<!">)<code>(?:GET|POST|PUT|DELETE) \/api/g)]).toEqual([]);
  });

  test('sends requests that match their operations', () => {
    const requests = requestsOf(html);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.flatMap(unknownIn)).toEqual([]);
  });

  test('consists of short paragraphs', () => {
    const paragraphs = [...html.matchAll(/<p>(.*?)<\/p>/gs)].map(([, text = '']) => text.replaceAll(/<[^>]+>/g, ''));
    expect(paragraphs.filter((text) => text.split(/\s+/).length > 70)).toEqual([]);
  });
});

test('the limits match the code', () => {
  const limits = guides.find(({ name }) => name === 'limits')!.html;
  const [, kilobytes] = /BODY_MAX = '(\d+)kb'/.exec(read('packages/chassis/src/http/parse.ts')) ?? [];
  const [, connections] =
    /CONNECTIONS_PER_ADDRESS: wholeNumber\(.*\)\s*\.default\((\d+)\)/.exec(read('gateway/src/config.ts')) ?? [];
  expect(limits).toContain(`at most ${kilobytes} KiB`);
  expect(limits).toContain(`at most ${connections} connections`);
});
