/** Guides for client developers, which the gateway serves at `/docs/guides`. Their texts are in `guides/*.html`. */
import { docsUrl } from '@suite/chassis/declarations';
import type { Json } from '../schemas.ts';
import { htmlPage, withCode } from './html-page.ts';

/** A guide: its name in the URL, and its text without the frame of the page. */
export interface Guide {
  name: string;
  html: string;
}

/** A published rate limit: a row of the table of limits. */
export interface RateLimitPolicy {
  limit: number;
  window_s: number;
  counts: string;
}

/** Limits that platform counts for each account, because the gateway does not know the account. */
const ACCOUNT_LIMITS: Record<string, RateLimitPolicy> = {
  account: { limit: 10, window_s: 60, counts: 'Failed logins to one account from one IP address or known device.' },
  account_everywhere: {
    limit: 300,
    window_s: 600,
    counts: 'Failed logins to one account from all unknown devices. Above, each IP address has one attempt per minute.',
  },
};

/** Returns the heading of a guide. */
export const guideTitle = ({ html }: Guide): string => /<h1>(.*?)<\/h1>/.exec(html)?.[1] ?? '';

/** Returns the path of a guide at the gateway. */
export const guidePath = ({ name }: Guide): string => `/docs/guides/${name}`;

function limitsTable(policies: Record<string, RateLimitPolicy>): string {
  const rows = Object.entries({ ...policies, ...ACCOUNT_LIMITS }).map(
    ([name, { limit, window_s, counts }]) =>
      `<tr><td><code>${name}</code></td><td>${limit} in ${window_s} s</td><td>${withCode(counts)}</td></tr>`,
  );
  return `<table>\n<tr><th>Policy</th><th>Requests</th><th>Counted</th></tr>\n${rows.join('\n')}\n</table>`;
}

/** The operations and error codes that a guide may name. */
export interface GuideTargets {
  /** Generated OpenAPI document. */
  document: Json;
  /** Generated error catalogue. */
  catalogue: string;
}

/** Returns the links to all operations on the page of the reference, by method and path. */
function operationLinks(document: Json): Map<string, string> {
  const paths = document['paths'] as Record<string, Record<string, { tags: string[] }>>;
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([
          method,
          {
            tags: [tag = ''],
          },
        ]) => {
          const slug = tag
            .toLowerCase()
            .replaceAll(/[^\w ]/g, '')
            .replaceAll(' ', '-');
          return [`${method.toUpperCase()} ${path}`, `/docs#tag/${slug}/${method.toUpperCase()}${path}`];
        },
      ),
    ),
  );
}

/**
 * Links the operations and error codes of a guide.
 * @returns the linked text, and the names that do not exist
 */
function linked(html: string, { document, catalogue }: GuideTargets): { html: string; unknown: string[] } {
  const unknown: string[] = [];
  const operations = operationLinks(document);
  const link = (name: string, target: string | undefined, shown: string) => {
    if (target === undefined) unknown.push(name);
    return `<a href="${target}">${shown}</a>`;
  };
  const withOperations = html.replaceAll(
    /<code>((?:GET|POST|PUT|DELETE) \/api\/\S*?)<\/code>/g,
    (shown, name: string) => link(name, operations.get(name), shown),
  );
  const withErrors = withOperations.replaceAll(/<code class="error">(\w+)<\/code>/g, (_, code: string) =>
    link(code, catalogue.includes(`<section id="${code}">`) ? docsUrl(code) : undefined, `<code>${code}</code>`),
  );
  return { html: withErrors, unknown };
}

const navigation = (guides: readonly Guide[]): string =>
  [
    ['/docs', 'API reference'],
    ...guides.map((guide) => [guidePath(guide), guideTitle(guide)]),
    ['/docs/errors', 'Error codes'],
  ]
    .map(([path, title]) => `<a href="${path}">${title}</a>`)
    .join(' · ');

/**
 * Returns the pages of guides by name.
 * @throws if a guide names an operation or an error code that does not exist
 */
export function guidePages(
  guides: readonly Guide[],
  targets: GuideTargets,
  policies: Record<string, RateLimitPolicy>,
): Map<string, string> {
  return new Map(
    guides.map((guide) => {
      const { html, unknown } = linked(guide.html.replace('<!-- limits -->', limitsTable(policies)), targets);
      if (unknown.length > 0)
        throw new Error(`The guide ${guide.name} names ${unknown.join(', ')}, which do not exist.`);
      const body = `<nav>${navigation(guides)}</nav>\n${html.trim()}`;
      return [guide.name, htmlPage(guideTitle(guide), body)];
    }),
  );
}
